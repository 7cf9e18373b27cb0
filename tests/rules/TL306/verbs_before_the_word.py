"""get_clip(), load_model(1): a verb before the word makes a function of it that fetches, and runs no network."""
import importlib

import torch
from torch import nn

READERS = importlib.import_module("types")


class Video:
    def __init__(self, path):
        self.path = path

    def get_clip(self, start, end):
        return torch.zeros(3, end - start)


READERS.Video = Video


def fetched(path):
    video = READERS.Video(path)
    return video.get_clip(0, 4).numpy()  # ok: TL306


def read(store):
    return store.load_model(1)["steps"].numpy()  # ok: TL306


def built(shop):
    return shop.make_net(2).numpy(), shop._create_net(2).numpy()  # ok: TL306


def by_the_word(video, x):
    return video.clip(x).numpy()  # expect: TL306


def after_the_word(shop, x):
    return shop.target_net(x).numpy()  # expect: TL306


class Shop(nn.Module):
    def __init__(self):
        super().__init__()
        self.clip, self.target_net = nn.Linear(2, 2), nn.Linear(2, 2)

    def load_model(self, epoch):
        return {"steps": torch.tensor(epoch)}

    def make_net(self, width):
        return torch.zeros(width)

    _create_net = make_net


def demonstrate():
    x, shop = torch.ones(1, 2), Shop()
    fetched("a.mp4"), read(shop), built(shop)
    for run in (by_the_word, after_the_word):
        try:
            run(shop, x)
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError("numpy took what autograd records")
