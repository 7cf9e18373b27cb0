"""Box and waveform helpers write in place into what as_tensor / from_numpy returned, which is the caller's own memory.

source: open-mmlab/mmdetection3d#277, Trusted-AI/adversarial-robustness-toolbox#2262 (the same fault)
rules: [TL308]
"""
import numpy as np
import torch


class BoxTarget:
    """boxes: [n, 4] as x, y, width, height."""

    def __init__(self, boxes, image_size):
        boxes = torch.as_tensor(boxes, dtype=torch.float32)
        boxes[:, 2:] += boxes[:, :2]  # expect: TL308
        self.boxes = boxes
        self.image_size = image_size

    def area(self):
        size = self.boxes[:, 2:] - self.boxes[:, :2]
        return size.prod(dim=1)


def random_gain(samples: np.ndarray, low=0.5, high=0.9):
    wave = torch.from_numpy(samples)
    gain = float(torch.empty(1).uniform_(low, high))
    wave.mul_(gain)  # expect: TL308
    return wave


class BoxTargetFixed(BoxTarget):
    def __init__(self, boxes, image_size):
        boxes = torch.as_tensor(boxes, dtype=torch.float32)
        self.boxes = torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1)
        self.boxes.clamp_(min=0)  # ok: TL308
        self.image_size = image_size


class BoxTargetCopy(BoxTarget):
    def __init__(self, boxes, image_size):
        boxes = torch.tensor(boxes, dtype=torch.float32)
        boxes[:, 2:] += boxes[:, :2]  # ok: TL308
        self.boxes = boxes
        self.image_size = image_size


def random_gain_fixed(samples: np.ndarray, low=0.5, high=0.9):
    wave = torch.from_numpy(samples)
    gain = float(torch.empty(1).uniform_(low, high))
    wave = wave * gain
    return wave.clamp_(-1, 1)  # ok: TL308


def stack_clips(clips):
    batch = torch.from_numpy(np.stack(clips))
    batch -= batch.mean(dim=-1, keepdim=True)  # ok: TL308
    return batch


def spectrum_mask(samples: np.ndarray, width=2):
    wave = torch.from_numpy(samples).clone()
    wave[..., :width] = 0.0  # ok: TL308
    return wave


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)

    def kept(fn, value):
        before = value.copy()
        fn(value)
        return np.array_equal(before, value)

    boxes = np.array([[1.0, 2.0, 3.0, 4.0]], dtype=np.float32)
    assert not kept(lambda b: BoxTarget(b, (8, 8)), boxes.copy())
    again = boxes.copy()
    areas = [BoxTarget(again, (8, 8)).area().item() for _ in range(2)]
    assert areas[0] == 12.0 and BoxTarget(again, (8, 8)).boxes[0, 2] != 4.0, "the second epoch sees other boxes"
    assert kept(lambda b: BoxTarget(b, (8, 8)), boxes.astype(np.float64))  # a conversion hides it
    for cls in (BoxTargetFixed, BoxTargetCopy):
        assert kept(lambda b: cls(b, (8, 8)), boxes.copy())
        assert cls(boxes, (8, 8)).area().item() == 12.0
    wave = np.random.default_rng(0).uniform(-1, 1, 16).astype(np.float32)
    assert not kept(random_gain, wave.copy())
    for fn in (random_gain_fixed, spectrum_mask, lambda w: stack_clips([w, w])):
        assert kept(fn, wave)
