"""A function makes a table at its first call and keeps it under a global name: the test asks for the name alone."""

import torch
import torch.nn.functional as F

window = None
ramp: torch.Tensor | None = None
grid = None
lower = None
identity = None
signs = None
chosen = None
given = None
corners = None
first = True


def flat(size, channels):
    return torch.ones(channels, 1, size, size) / size**2


def smoothed(image, size=3):
    global window
    if window is None:
        window = flat(size, image.shape[1])  # expect: TL104
        window = window.type_as(image)
    return F.conv2d(image, window, groups=image.shape[1])


def positions(length):
    global ramp
    if ramp is None:
        ramp = torch.arange(length)  # expect: TL104
    return ramp


def lay_grid(depth):
    global grid
    height, width = depth.shape
    grid = torch.arange(height * width).view(height, width).type_as(depth)  # expect: TL104


def in_cells(depth):
    if grid is None or grid.shape != depth.shape:
        lay_grid(depth)
    return grid * depth


def below(scores):
    global lower
    if lower is None or lower.shape != scores.shape or lower.device != scores.device:
        lower = torch.ones(scores.shape, dtype=torch.bool, device=scores.device).tril()  # ok: TL104  all is asked
    return scores.masked_fill(~lower, 0)


def unchanged(points):
    global identity
    if identity is None:
        identity = torch.eye(3)  # ok: TL104  it follows each input
    identity = identity.to(points.device, points.dtype)
    return points @ identity


def signed(values):
    global signs
    if signs is None:
        signs = torch.tensor([1.0, -1.0])  # ok: TL104  depends on nothing, and is moved where it is read
    return values * signs.to(values)


def forget():
    global chosen
    chosen = None


def picked(values):
    global chosen
    if chosen is None:
        chosen = torch.arange(len(values))  # ok: TL104  another function decides how long it lives
    return values[chosen]


def use(table):
    global given
    given = table


def looked_up(values):
    global given
    if given is None:
        given = torch.arange(len(values))  # ok: TL104  the caller may bring one
    return values[given]


def fresh(values):
    global corners
    corners = torch.arange(len(values))  # ok: TL104  made at every call
    return values[corners]


def warned(values):
    global first
    if first:
        first = len(values) > 3  # ok: TL104  no tensor
    return values if first else -values


def demonstrate():
    smoothed(torch.ones(1, 2, 4, 4))
    for image in (torch.ones(1, 3, 4, 4), torch.ones(1, 2, 4, 4).double()):
        try:
            smoothed(image)
        except RuntimeError:
            continue
        raise AssertionError("the window follows the image")
    positions(3)
    assert len(positions(5)) == 3
    assert in_cells(torch.ones(2, 2)).dtype is torch.float32
    assert in_cells(torch.ones(2, 2).double()).dtype is torch.float64
    assert grid.dtype is torch.float32
    for function, one in ((below, (2, 2)), (unchanged, (2, 3)), (signed, (2, 2))):
        function(torch.ones(one))
        assert function(torch.ones(one).double()).dtype is torch.float64
    assert below(torch.ones(4, 4)).shape == (4, 4)
    for function in (picked, looked_up, fresh):
        assert len(function(torch.ones(3))) == 3
    forget()
    use(torch.zeros(1, dtype=torch.int64))
    assert len(picked(torch.ones(5))) == 5
    assert len(looked_up(torch.ones(5))) == 1
    assert len(warned(torch.ones(5))) == 5
