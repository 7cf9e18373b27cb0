"""What NumPy solves, inverts and stacks is float64 where it was given that; beside float32, a matrix product raises."""
import numpy as np
import torch


def lens(focal):
    return np.array([[focal, 0.0], [0.0, focal]])


def lifted(points, focal):
    grid = torch.ones(3, 2) * points.shape[0]
    back = torch.from_numpy(np.linalg.inv(lens(focal)))  # expect: TL203
    return grid @ back.t()


def lifted_narrow(points, focal):
    grid = torch.ones(3, 2) * points.shape[0]
    back = torch.from_numpy(np.linalg.inv(lens(focal))).float()  # ok: TL203
    return grid @ back.t()


def lifted_wide(points, focal):
    grid = torch.ones(3, 2, dtype=torch.float64) * points.shape[0]
    return grid @ torch.from_numpy(np.linalg.inv(lens(focal))).t()  # ok: TL203  both are float64


def scaled(points, focal):
    return torch.ones(3, 2) * torch.from_numpy(np.linalg.inv(lens(focal)))[0]  # ok: TL203  a product of elements


def rooted(net, counts):
    share = np.sqrt(np.array(counts) / 3)
    return net(torch.from_numpy(share))  # expect: TL203


def drawn(net, spread):
    return net(torch.tensor([np.random.normal(0.0, spread)]))  # ok: TL203  without a size a float of Python


def demonstrate():
    points, net = torch.rand(3, 2), torch.nn.Linear(2, 1)
    assert lifted_narrow(points, 2.0).dtype == torch.float32
    assert lifted_wide(points, 2.0).dtype == torch.float64
    assert scaled(points, 2.0).dtype == torch.float64
    assert drawn(torch.nn.Linear(1, 1), 0.1).dtype == torch.float32
    for wrong in (lambda: lifted(points, 2.0), lambda: rooted(net, [1, 2])):
        try:
            wrong()
        except RuntimeError:
            continue
        raise AssertionError("float64 met float32")
