"""A branch that turns the tensor is enough; two branches may belong together."""

import torch


def one_branch(x, batch_first: bool):
    batch, length, width = x.shape
    if batch_first:
        x = x.transpose(0, 1)
    return x.view(-1, width)  # expect: TL205


def branch_with_copy(x, batch_first: bool):
    batch, length, width = x.shape
    if batch_first:
        x = x.transpose(0, 1).contiguous()
    return x.view(-1, width)  # ok: TL205


def there_and_back(x, batch_first: bool):
    batch, length, width = x.shape
    x = x.transpose(0, 1) if batch_first else x
    x = x.relu()
    x = x.transpose(0, 1) if batch_first else x
    return x.view(-1, width)  # ok: TL205  the second turn undoes the first


def in_order_everywhere(x, flag: bool):
    x = x.permute(0, 2, 1).contiguous() if flag else x.clone()
    return x.view(x.size(0), -1)  # ok: TL205


def either_way(x, flag: bool):
    batch, length, width = x.shape
    turned = x.transpose(1, 2) if flag else x.permute(0, 2, 1).relu()
    return turned.view(batch, -1)  # expect: TL205


def demonstrate():
    x = torch.rand(2, 3, 4)
    for call in (lambda: one_branch(x, True), lambda: either_way(x, True), lambda: either_way(x, False)):
        try:
            call()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    one_branch(x, False)
    for flag in (True, False):
        branch_with_copy(x, flag), there_and_back(x, flag), in_order_everywhere(x, flag)
