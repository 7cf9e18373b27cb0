"""A function keeps tables in a dict of the file, or on itself: the key, or the test, must tell all that they depend on."""
import torch

FILTERS = {}
WINDOWS = {}
PLACED = dict()
ON_CPU = {}
EMPTIED = {}
RESULTS = {}
BATCHES = {}


def filters_by_one_argument(x, bands, rate, top):
    key = f"{top}_{x.dtype}_{x.device}"
    if key not in FILTERS:
        bank = torch.linspace(0, top, bands) / rate
        FILTERS[key] = bank.to(dtype=x.dtype, device=x.device)  # expect: TL104
    return x * FILTERS[key]


def windows_by_all(x, size):
    key = f"{size}_{x.dtype}_{x.device}"
    if key not in WINDOWS:
        WINDOWS[key] = torch.hann_window(size).to(dtype=x.dtype, device=x.device)  # ok: TL104  the key tells all
    return x * WINDOWS[key]


def windows_without_device(x, size):
    window = PLACED.get(size)
    if PLACED.get(size) is None:
        PLACED[size] = torch.hann_window(size, device=x.device)  # expect: TL104
    return x * PLACED[size]


def windows_moved_at_the_read(x, size):
    if size not in ON_CPU:
        ON_CPU[size] = torch.hann_window(size).to(x.device)  # ok: TL104  each read converts
    return x * ON_CPU[size].to(x.device)


def positions(x):
    if not hasattr(positions, "table"):
        positions.table = torch.arange(8.0).to(x.device)  # expect: TL104
    return x + positions.table


def positions_by_device(x):
    if getattr(positions_by_device, "device", None) != x.device:
        positions_by_device.device = x.device
        positions_by_device.table = torch.arange(8.0, device=x.device)  # ok: TL104  asked beside it
    return x + positions_by_device.table


def emptied(x, size):
    if size not in EMPTIED:
        EMPTIED[size] = torch.hann_window(size).to(x.device)  # ok: TL104  the caller decides how long it lives
    return x * EMPTIED[size]


def reset():
    EMPTIED.clear()


def remembered_results(name, x):
    if name not in RESULTS:
        RESULTS[name] = x * 2  # ok: TL104  it is made of the data of an input: state, and no table
    return RESULTS[name] + 1


def collected(name, width, x):
    BATCHES[name] = torch.zeros(width, device=x.device)  # ok: TL104  no test keeps it
    return BATCHES[name] + x


def local_table(x, width):
    tables = {}
    for name in ("a", "b"):
        if name not in tables:
            tables[name] = torch.zeros(width, device=x.device)  # ok: TL104  it ends with the call
    return x + tables["a"]


def demonstrate():
    x = torch.ones(8)
    assert torch.equal(filters_by_one_argument(x, 8, 1, 4.0), filters_by_one_argument(x, 8, 2, 4.0))
    windows_without_device(x, 8)
    assert windows_without_device(x, 8).device.type == "cpu"
    for function in (windows_without_device, windows_moved_at_the_read):
        function(x, 8)
        on_meta = x.to("meta")
        try:
            function(on_meta, 8)
        except (RuntimeError, NotImplementedError):
            assert function is windows_without_device
        else:
            assert function is windows_moved_at_the_read
    positions(x)
    assert positions.table.device.type == "cpu"
    positions_by_device(x)
    assert positions_by_device(x.to("meta")).device.type == "meta"
