"""flatten(2) leaves three dimensions of however many there were; turned, they cannot be merged."""
import torch


def tokens(x):
    tokens = x.flatten(2).transpose(1, 2)
    return tokens.view(-1, tokens.size(-1))  # expect: TL205


def turned(x):
    tokens = torch.flatten(x, 2).permute(2, 0, 1)
    return tokens.view(-1, tokens.size(-1))  # expect: TL205


def rows(x):
    table = x.flatten(start_dim=1).t()
    return table.view(-1)  # expect: TL205


def heads(x, count):
    tokens = x.flatten(2).transpose(1, 2)
    return tokens.view(tokens.size(0), tokens.size(1), count, -1)  # ok: TL205  splits the last one


def in_order(x):
    flat = x.flatten(1)
    return flat.view(flat.size(0), -1)  # ok: TL205


def copied(x):
    return x.flatten(2).transpose(1, 2).reshape(-1, x.size(1))  # ok: TL205


def repeated(x, count):
    pairs = x.unsqueeze(1).expand(-1, count, -1)
    return pairs.view(-1, x.size(-1))  # expect: TL205


def repeated_rows(x, count):
    pairs = x.unsqueeze(1).repeat(1, count, 1)
    return pairs.view(-1, x.size(-1))  # ok: TL205


def demonstrate():
    x = torch.rand(2, 4, 3, 3)
    for call in (tokens, turned, rows, lambda x: repeated(x[0, 0], 2)):
        try:
            call(x)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    heads(x, 2), in_order(x), copied(x), repeated_rows(x[0, 0], 2)
