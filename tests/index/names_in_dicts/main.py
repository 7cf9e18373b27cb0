"""Names that are the keys of dicts: of another file, of the line, of a call."""
import torch
from tables import LIMITS, make_tables
from torch import nn


class FromItems(nn.Module):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        for name, value in LIMITS.items():
            self.register_buffer(name, torch.tensor(value))


class FromKeys(nn.Module):  # class: module; buffers low, high
    def __init__(self):
        super().__init__()
        for name in LIMITS:
            self.register_buffer(name, torch.tensor(LIMITS[name]))


class FromLine(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        for name, value in dict(sine=torch.zeros(1), cosine=torch.ones(1)).items():
            self.register_buffer(name, value)


class FromLiteral(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        tables = {"sine": torch.zeros(1), "cosine": torch.ones(1)}
        for name, value in tables.items():
            self.register_buffer(name, value, persistent=False)


class FromPairs(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        for name, value in [("sine", torch.zeros(1)), ("cosine", torch.ones(1))]:
            self.register_buffer(name, value)


class FromCall(nn.Module):  # class: module; buffers sine, cosine
    def __init__(self):
        super().__init__()
        for name, value in make_tables().items():
            self.register_buffer(name, value)


class FromValues(nn.Module):  # class: module; buffers first, second; plain low
    names = {"low": "first", "high": "second"}

    def __init__(self):
        super().__init__()
        self.low = torch.zeros(1)
        for name in self.names.values():
            self.register_buffer(name, torch.zeros(1))


class Kept(nn.Module):  # class: module; plain tables
    def __init__(self):
        super().__init__()
        self.tables = {}
        for name, value in LIMITS.items():
            self.tables[name] = torch.tensor(value)
