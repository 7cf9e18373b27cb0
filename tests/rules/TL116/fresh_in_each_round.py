"""A round of a loop takes a tensor of the state for its shape, or computes from it: nothing is kept past the round.

A list of all tensors that was made before the loop is kept.
"""
import torch
from torch import nn


@torch.no_grad()
def totals(server: nn.Module, clients: list[nn.Module]) -> None:
    for key in server.state_dict():
        total = torch.zeros_like(server.state_dict()[key], dtype=torch.float32)  # ok: TL116
        for client in clients:
            total += client.state_dict()[key] / len(clients)
        server.state_dict()[key].data.copy_(total)


@torch.no_grad()
def moved_half_way(server: nn.Module, client: nn.Module) -> None:
    for key in server.state_dict():
        mean = 0.5 * server.state_dict()[key]  # ok: TL116
        mean += 0.5 * client.state_dict()[key]
        server.state_dict()[key].data.copy_(mean)


@torch.no_grad()
def noise_of_the_shape(net: nn.Module) -> None:
    shapes = [torch.randn_like(p) for p in net.parameters()]  # ok: TL116
    for p, noise in zip(net.parameters(), shapes):
        p.copy_(noise)


@torch.no_grad()
def back_by_half(net: nn.Module, batch: torch.Tensor) -> torch.Tensor:
    before = [p.data for p in net.parameters()]  # expect: TL116
    for p in net.parameters():
        p.add_(1.0)
    answer = net(batch)
    for p, old in zip(net.parameters(), before):
        p.copy_(0.5 * old)
    return answer


@torch.no_grad()
def back_to_clones(net: nn.Module, batch: torch.Tensor) -> torch.Tensor:
    before = [torch.clone(p) for p in net.parameters()]  # ok: TL116
    for p in net.parameters():
        p.add_(1.0)
    answer = net(batch)
    for p, old in zip(net.parameters(), before):
        p.copy_(0.5 * old)
    return answer


def demonstrate():
    server, clients = nn.Linear(1, 1), [nn.Linear(1, 1), nn.Linear(1, 1)]
    mean = torch.stack([client.weight for client in clients]).mean(0)
    totals(server, clients)
    torch.testing.assert_close(server.weight, mean)
    moved_half_way(server, clients[0])
    torch.testing.assert_close(server.weight, (mean + clients[0].weight) / 2)
    noise_of_the_shape(server)
    for function, is_right in ((back_by_half, False), (back_to_clones, True)):
        net = nn.Linear(1, 1)
        half = net.weight.item() / 2
        function(net, torch.ones(1, 1))
        assert (abs(net.weight.item() - half) < 1e-6) is is_right
