"""A key of sizes is spread into the helper that makes the table, *size; what else the helper gets is told apart."""
import torch

GRIDS = {}
KEYED_GRIDS = {}
PLAIN_GRIDS = {}


def grid_of(height: int, width: int, like: torch.Tensor) -> torch.Tensor:
    rows = torch.linspace(-1, 1, height, device=like.device, dtype=like.dtype)
    columns = torch.linspace(-1, 1, width, device=like.device, dtype=like.dtype)
    return rows[:, None] + columns


def by_sizes(flow: torch.Tensor) -> torch.Tensor:
    size = tuple(flow.shape[2:])
    if size not in GRIDS:
        GRIDS[size] = grid_of(*size, like=flow)  # expect: TL104
    return GRIDS[size] + flow


def by_all(flow: torch.Tensor) -> torch.Tensor:
    key = (flow.shape[2], flow.shape[3], flow.device, flow.dtype)
    if key not in KEYED_GRIDS:
        KEYED_GRIDS[key] = grid_of(*flow.shape[2:], like=flow)  # ok: TL104
    return KEYED_GRIDS[key] + flow


def plain_grid(height: int, width: int, step: float = 1.0) -> torch.Tensor:
    return torch.arange(height)[:, None] * step + torch.arange(width)


def moved_when_read(flow: torch.Tensor) -> torch.Tensor:
    size = tuple(flow.shape[2:])
    if size not in PLAIN_GRIDS:
        PLAIN_GRIDS[size] = plain_grid(*size, step=2.0)  # ok: TL104  moved where it is read
    return PLAIN_GRIDS[size].to(flow) + flow


def demonstrate():
    flow = torch.zeros(1, 2, 3, 4)
    for function, is_right in ((by_sizes, False), (by_all, True), (moved_when_read, True)):
        function(flow)
        try:
            assert function(flow.to("meta")).is_meta and is_right
        except RuntimeError:
            assert not is_right
