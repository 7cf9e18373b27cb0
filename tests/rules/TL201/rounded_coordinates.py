"""What floor() and round() give is as floating as what went in: nobody rounds whole numbers."""
import torch


def corners(image, places):
    left = torch.floor(places[:, 0])  # expect: TL201
    top = torch.round(places[:, 1])  # expect: TL201
    return image[:, top, left]


def whole_corners(image, places):
    left = torch.floor(places[:, 0]).long()  # ok: TL201
    top = torch.round(places[:, 1]).int()  # ok: TL201
    return image[:, top, left]


def shares(image, places):
    rest = places - torch.floor(places)  # ok: TL201  only weighs
    return image * rest.mean()


def halves(x):
    middle = x.size(0) / 2  # expect: TL201
    return x[:middle], x[middle:]


def whole_halves(x):
    middle = x.size(0) // 2  # ok: TL201
    return x[:middle], x[middle:]


def demonstrate():
    image, places = torch.rand(3, 4, 4), torch.rand(2, 2) * 3
    for refused in (lambda: corners(image, places), lambda: halves(places)):
        try:
            refused()
            raise AssertionError("a floating index was accepted")
        except (IndexError, TypeError):
            pass
    assert whole_corners(image, places).shape == (3, 2)
    assert shares(image, places).shape == image.shape and whole_halves(places)[0].shape == (1, 2)
