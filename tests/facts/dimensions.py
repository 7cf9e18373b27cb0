"""How many dimensions a tensor has, by its sizes, its data, its view, or its operands."""
import torch

rows = [[1, 2], [3, 4]]
vector, matrix = torch.zeros(3), torch.zeros(3, 3)


def made(n: int, sizes, anything, x: torch.Tensor, labels: list):
    torch.zeros(n)  # fact: tensor 1-dim
    torch.zeros(n, n)  # fact: tensor 2-dim
    torch.ones((n, n, 1))  # fact: tensor 3-dim
    torch.ones(x.shape[0])  # fact: tensor 1-dim
    torch.empty(x.size(0), 2)  # fact: tensor 2-dim
    torch.rand(())  # fact: tensor 0-dim
    torch.rand(sizes)  # fact: tensor dim ?
    torch.randn(*sizes)  # fact: tensor dim ?
    torch.zeros(x.shape)  # fact: tensor dim ?
    torch.full((n, 2), 0.5)  # fact: tensor 2-dim
    torch.full(sizes, 0.5)  # fact: tensor dim ?
    torch.full(fill_value=1, size=(2,))  # fact: tensor dim ?
    torch.arange(n)  # fact: tensor 1-dim
    torch.linspace(0, 1, n)  # fact: tensor 1-dim
    torch.randperm(n)  # fact: tensor 1-dim
    torch.eye(n)  # fact: tensor 2-dim
    torch.tensor([1, 2])  # fact: tensor int64 1-dim
    torch.tensor(rows)  # fact: tensor int64 2-dim
    torch.tensor([anything, anything])  # fact: tensor dim ?
    torch.tensor(labels)  # fact: tensor dim ?
    torch.tensor([])  # fact: tensor float32 1-dim
    torch.tensor(anything)  # fact: tensor dim ?
    torch.Tensor([1, 2])  # fact: tensor float32 1-dim
    torch.Tensor(2, n)  # fact: tensor float32 2-dim
    torch.Tensor(n)  # fact: tensor float32 1-dim
    torch.Tensor(x.size())  # fact: tensor float32 dim ?
    torch.Tensor(labels)  # fact: tensor float32 dim ?
    torch.FloatTensor(matrix)  # fact: tensor float32 2-dim
    x.new_zeros(n, 2)  # fact: tensor 2-dim
    return torch.randint(0, 3, (n,))  # fact: tensor int64 dim ?


def reshaped(x: torch.Tensor, sizes, n: int):
    x.view(-1)  # fact: tensor 1-dim
    x.view(n, -1)  # fact: tensor 2-dim
    x.reshape((n, 1, -1))  # fact: tensor 3-dim
    x.view(sizes)  # fact: tensor dim ?
    x.view(*sizes)  # fact: tensor dim ?
    x.flatten()  # fact: tensor 1-dim
    matrix.flatten(1)  # fact: tensor dim ?
    x.ravel()  # fact: tensor 1-dim
    vector.unsqueeze(0)  # fact: tensor 2-dim
    vector[0]  # fact: tensor 0-dim
    vector[None]  # fact: tensor 2-dim
    matrix[:, 0]  # fact: tensor 1-dim
    matrix[n]  # fact: tensor dim ?
    return x.unsqueeze(0)  # fact: tensor dim ?


def computed(x: torch.Tensor, anything):
    vector + 1  # fact: tensor 1-dim
    vector * matrix  # fact: tensor 2-dim
    vector * x  # fact: tensor dim ?
    vector * anything  # fact: tensor dim ?
    matrix @ vector  # fact: tensor dim ?
    vector > 0  # fact: tensor bool 1-dim
    vector.exp()  # fact: tensor 1-dim
    vector.floor()  # fact: tensor 1-dim
    vector.long()  # fact: tensor int64 1-dim
    torch.add(vector, matrix)  # fact: tensor 2-dim
    torch.add(vector, anything)  # fact: tensor dim ?
    torch.cat([vector, vector])  # fact: tensor 1-dim
    torch.stack([vector, vector])  # fact: tensor 2-dim
    torch.cat([matrix, x])  # fact: tensor dim ?
    torch.outer(vector, vector)  # fact: tensor 2-dim
    return matrix.sum(0)  # fact: tensor dim ?


def demo():
    x = torch.ones(3, 3)
    made(3, [3], 1, x, [1])
    reshaped(x, [9], 1)
    computed(x, x)
