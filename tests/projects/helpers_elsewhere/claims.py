"""What torch says of the functions."""
import model as M
import torch


def demonstrate():
    module = M.Kept().to("meta")
    assert module.learned.is_meta
    assert module.kept.is_meta
    assert not any(value.is_meta for value in (module.plain, module.by_module, module.kernel))
    table = torch.ones(4)
    for function in (M.picked, M.picked_elsewhere):
        try:
            function(table)
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
    assert M.picked_by_ids(table).shape == (3,)
    a = torch.rand(3, 3)
    assert M.product(a, a).dtype == torch.bfloat16
    assert M.exact_product(a, a).dtype == torch.float32
    assert M.export(torch.nn.BatchNorm1d(2))["num_batches_tracked"].dtype == torch.float16
