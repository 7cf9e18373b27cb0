"""An evaluation runs in a bf16 region and hands scores to numpy: what sigmoid returns there is brain float, which numpy does not know.

source: evaluation loops moved to autocast ("Got unsupported ScalarType BFloat16"); NVlabs/X-MOBILITY#25, truera/trulens#662 kind
rules: [TL306]
"""
import numpy as np
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Evaluator:
    def __init__(self, net, level=0.5):
        self.net, self.level = net.to(KIND).eval(), level

    @torch.inference_mode()
    def outputs(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            scores = torch.sigmoid(self.net(x.to(KIND)))
        return {"scores": scores, "hard": scores > self.level, "best": scores.argmax(-1)}

    def arrays(self, x):
        raise NotImplementedError

    def run(self, batches):
        parts = [self.arrays(x) for x in batches]
        return {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}


class Whole(Evaluator):
    def arrays(self, x):
        out = self.outputs(x)
        return {"scores": out["scores"].cpu().numpy()}  # expect: TL306


class Widened(Evaluator):
    def arrays(self, x):
        out = self.outputs(x)
        return {"scores": out["scores"].float().cpu().numpy()}  # ok: TL306


class Decided(Evaluator):
    """Decisions and class numbers are no floating values."""

    def arrays(self, x):
        out = self.outputs(x)
        return {k: out[k].cpu().numpy() for k in ("hard", "best")}  # ok: TL306


class Listed(Evaluator):
    def arrays(self, x):
        out = self.outputs(x)
        return {"scores": np.array(out["scores"].tolist(), dtype=np.float32)}  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    net, batches = nn.Linear(4, 3), [torch.randn(2, 4) for _ in range(2)]
    try:
        Whole(net).run(batches)
        raise AssertionError("numpy knew brain float")
    except TypeError as err:
        assert "BFloat16" in str(err), err
    for kind in (Widened, Decided, Listed):
        assert all(len(v) == 4 for v in kind(net).run(batches).values())
