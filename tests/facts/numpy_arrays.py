"""What NumPy solves, counts, cuts and draws, seen by the tensors that come of it."""
from types import SimpleNamespace

import numpy as np
import torch


def made(given, size=3, values=(1.0, 2.0)):
    line, square, whole = np.array([1.0, 2.0]), np.eye(3), np.arange(4)
    narrow = np.zeros((3, 3), dtype=np.float32)
    torch.from_numpy(np.linalg.inv(square))  # fact: tensor float64
    torch.from_numpy(np.linalg.pinv(narrow))  # fact: tensor float32
    torch.from_numpy(np.linalg.norm(square, axis=1))  # fact: tensor float64
    torch.from_numpy(np.linalg.solve(square, np.ones(3)))  # fact: tensor float64
    torch.from_numpy(np.linalg.svd(square)[1])  # fact: tensor float64
    torch.from_numpy(np.meshgrid(line, line)[0])  # fact: tensor float64
    torch.from_numpy(np.split(narrow, 3)[0])  # fact: tensor float32
    torch.from_numpy(np.mgrid[0:1:3j, 0:1:3j])  # fact: tensor float64
    torch.from_numpy(np.mgrid[0:3, 0:3])  # fact: tensor int64
    torch.from_numpy(np.r_[line, line])  # fact: tensor float64
    torch.from_numpy(np.kron(narrow, narrow))  # fact: tensor float32
    torch.from_numpy(np.cross(square, narrow))  # fact: tensor float64
    torch.from_numpy(np.einsum("ij,jk->ik", square, square))  # fact: tensor float64
    torch.from_numpy(np.diff(line))  # fact: tensor float64
    torch.from_numpy(np.fft.fftfreq(8))  # fact: tensor float64
    torch.from_numpy(np.radians(whole))  # fact: tensor float64
    torch.from_numpy(np.mod(whole, 2) / 2)  # fact: tensor float64
    torch.from_numpy(np.indices((3, 3)))  # fact: tensor int64
    torch.from_numpy(square.T)  # fact: tensor float64
    torch.from_numpy(np.random.permutation(4) / 4)  # fact: tensor float64
    torch.from_numpy(np.random.choice(narrow[0], 3))  # fact: tensor float32
    torch.from_numpy(np.array(values) / 3)  # fact: tensor float64
    torch.tensor(np.random.beta(0.4, 0.4))  # fact: tensor float32
    torch.tensor(np.random.default_rng(0).normal())  # fact: tensor float32
    torch.tensor(np.random.normal(line, 1.0))  # fact: tensor float64
    torch.tensor(whole.tolist())  # fact: tensor int64
    torch.from_numpy(np.linalg.inv(given))  # fact: tensor dtype ?
    torch.from_numpy(np.linalg.svd(given)[1])  # fact: tensor dtype ?
    torch.from_numpy(np.meshgrid(line, given[0])[0])  # fact: tensor dtype ?
    torch.from_numpy(np.split(given, 3)[0])  # fact: tensor dtype ?
    torch.from_numpy(np.kron(given, narrow))  # fact: tensor dtype ?
    torch.from_numpy(np.einsum("ij,jk->ik", given, given))  # fact: tensor dtype ?
    torch.from_numpy(np.diff(given))  # fact: tensor dtype ?
    torch.from_numpy(np.radians(given))  # fact: tensor dtype ?
    torch.from_numpy(np.random.choice(given[0], 3))  # fact: tensor dtype ?
    torch.from_numpy(np.asarray(given) / 3)  # fact: tensor dtype ?
    torch.from_numpy(np.array(given))  # fact: tensor dtype ?
    torch.from_numpy(given.T)  # fact: tensor dtype ?
    torch.tensor(given.tolist())  # fact: tensor dtype ?
    torch.from_numpy(np.mgrid[0:size, 0:size])  # fact: tensor dtype ?
    torch.from_numpy(np.r_[given[0], given[1]])  # fact: tensor dtype ?


def kept(x=None):
    held = SimpleNamespace(target=torch.ones(2), rank=torch.arange(2))
    held.target  # fact: tensor float32
    held.rank  # fact: tensor int64
    return held.target, held.rank


def demo():
    made(np.eye(3))
    kept()
