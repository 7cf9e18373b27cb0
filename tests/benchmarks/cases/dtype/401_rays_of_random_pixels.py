"""A radiance field draws random pixels from a grid made with linspace; the drawn coordinates then index the picture.

source: NeRF training scripts that drop the .long() after np.random.choice ("tensors used as indices must be long, int, byte or bool")
rules: [TL201]
"""
import torch


def pixel_grid(height, width):
    rows, cols = torch.meshgrid(torch.linspace(0, height - 1, height), torch.linspace(0, width - 1, width), indexing="ij")  # expect: TL201
    return torch.stack([rows, cols], dim=-1)


class Camera:
    def __init__(self, height, width, focal):
        self.height, self.width, self.focal = height, width, focal

    def direction(self, rows, cols):
        x = (cols - self.width * 0.5) / self.focal
        y = (rows - self.height * 0.5) / self.focal
        return torch.stack([x, -y, -torch.ones_like(x)], dim=-1)


class RayPicker:
    grid = staticmethod(pixel_grid)

    def __init__(self, camera, count):
        self.camera, self.count = camera, count
        self.places = self.grid(camera.height, camera.width).reshape(-1, 2)

    def draw(self):
        pick = torch.randperm(len(self.places))[: self.count]
        return self.places[pick].unbind(-1)  # ok: TL201

    def batch(self, picture):
        rows, cols = self.draw()
        return {"rays": self.camera.direction(rows, cols), "rgb": picture[rows, cols]}  # use: TL201


def centred_grid(height, width):
    """Coordinates that are only computed with, never an index."""
    ys = torch.linspace(-1, 1, height)  # ok: TL201
    xs = torch.linspace(-1, 1, width)  # ok: TL201
    return torch.cartesian_prod(ys, xs)


class WholePicker(RayPicker):
    @staticmethod
    def grid(height, width):
        return torch.stack(torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij"), dim=-1)  # ok: TL201


class CastPicker(RayPicker):
    """Keeps the floating grid for the directions and casts a copy for the picture."""

    @staticmethod
    def grid(height, width):
        ys = torch.linspace(0, height - 1, height)  # ok: TL201
        xs = torch.linspace(0, width - 1, width)  # ok: TL201
        return torch.cartesian_prod(ys, xs)

    def batch(self, picture):
        rows, cols = self.draw()
        at = tuple(c.round().to(torch.int64) for c in (rows, cols))
        return {"rays": self.camera.direction(rows, cols), "rgb": picture[at]}


def demonstrate():
    torch.manual_seed(0)
    picture, camera = torch.rand(4, 6, 3), Camera(4, 6, 2.0)
    try:
        RayPicker(camera, 5).batch(picture)
        raise AssertionError("floating coordinates indexed a picture")
    except IndexError as err:
        assert "indices" in str(err), err
    for cls in (WholePicker, CastPicker):
        out = cls(camera, 5).batch(picture)
        assert out["rgb"].shape == out["rays"].shape == (5, 3)
    assert centred_grid(2, 3).shape == (6, 2)
