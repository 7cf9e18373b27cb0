"""What torch says: set_grad_enabled(False) stays in force after the import; without it numpy takes no output."""
import torch
from measuring import measured, values


def demonstrate():
    model, frames = torch.nn.Linear(2, 2), [torch.ones(1, 2)]
    assert all(out.requires_grad for out in measured(model, frames))
    try:
        values(model, frames[0])
    except RuntimeError as error:
        assert "requires grad" in str(error)
    else:
        raise AssertionError("numpy took a tensor that requires grad")
    was_on = torch.is_grad_enabled()
    try:
        import demo

        drawn, _ = demo.main(model, frames)
        assert not drawn[0].requires_grad
        assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(was_on)
