"""Names that are put together: f-strings, format, percent, plus; with counts and prefixes that other files define."""
import torch
from constants import COUNT, PREFIX, PREFIXES
from torch import nn


class Counted(nn.Module):  # class: module; buffers table_0, table_1, table_2
    def __init__(self):
        super().__init__()
        for index in range(3):
            self.register_buffer(f"table_{index}", torch.zeros(1))


class CountedThere(nn.Module):  # class: module; buffers table_0, table_1
    def __init__(self):
        super().__init__()
        for index in range(COUNT):
            self.register_buffer(f"table_{index}", torch.zeros(1))


class Given(nn.Module):  # class: module; buffers table_0, table_1
    def __init__(self, count=2):
        super().__init__()
        for index in range(count):
            self.register_buffer(f"table_{index}", torch.zeros(1))
        self.table_size = torch.zeros(1)


class Prefixed(nn.Module):  # class: module; buffers query_scale, key_scale
    def __init__(self):
        super().__init__()
        for prefix in PREFIXES:
            self.register_buffer(f"{prefix}_scale", torch.zeros(1))


class Added(nn.Module):  # class: module; buffers query_scale, key_scale, query_shift
    def __init__(self):
        super().__init__()
        for prefix in PREFIXES:
            self.register_buffer(prefix + "_scale", torch.zeros(1))
        self.register_buffer(PREFIX + "_shift", torch.zeros(1))


class Percent(nn.Module):  # class: module; buffers table_0, table_1
    def __init__(self):
        super().__init__()
        for index in range(2):
            self.register_buffer("table_%d" % index, torch.zeros(1))


class Format(nn.Module):  # class: module; buffers table_0, table_1
    def __init__(self):
        super().__init__()
        for index in range(2):
            self.register_buffer("table_{}".format(index), torch.zeros(1))


class Assigned(nn.Module):  # class: module; parameters weight_0, weight_1; plain table_0, table_1
    def __init__(self):
        super().__init__()
        for index in range(2):
            setattr(self, f"weight_{index}", nn.Parameter(torch.zeros(1)))
            setattr(self, f"table_{index}", torch.zeros(1))
