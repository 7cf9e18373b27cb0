"""cuda() without a number means the device that is current at the call: a dict of the file outlives that choice."""

import torch

GRIDS = {}
PLACED = {}
FIXED = {}
MOVED = {}
COUNTS = {}


def grid_by_size(flow):
    key = str(flow.shape)
    if key not in GRIDS:
        GRIDS[key] = torch.linspace(-1.0, 1.0, flow.shape[3]).cuda()  # expect: TL104
    return flow + GRIDS[key]


def grid_by_size_and_device(flow):
    key = f"{flow.shape}_{flow.device}"
    if key not in PLACED:
        PLACED[key] = torch.linspace(-1.0, 1.0, flow.shape[3]).cuda()  # ok: TL104  the key tells the device
    return flow + PLACED[key]


def grid_on_one_device(flow):
    key = str(flow.shape)
    if key not in FIXED:
        FIXED[key] = torch.linspace(-1.0, 1.0, flow.shape[3]).cuda(0)  # ok: TL104  always the same device
    return flow + FIXED[key]


def grid_moved_at_the_read(flow):
    key = str(flow.shape)
    if key not in MOVED:
        MOVED[key] = torch.linspace(-1.0, 1.0, flow.shape[3]).cuda()  # ok: TL104  each read converts
    return flow + MOVED[key].to(flow.device)


def numbers_of_a_grid(flow):
    key = str(flow.shape)
    if key not in COUNTS:
        COUNTS[key] = torch.ones(flow.shape[3]).cuda()  # ok: TL104  only its sizes are read
    return COUNTS[key].shape[0]


def demonstrate():
    if torch.cuda.device_count() < 2:
        return
    with torch.cuda.device(0):
        grid_by_size(torch.zeros(1, 1, 2, 2, device="cuda:0"))
    with torch.cuda.device(1):
        try:
            grid_by_size(torch.zeros(1, 1, 2, 2, device="cuda:1"))
        except RuntimeError as error:
            assert "same device" in str(error), error
