"""What torch says of the classes."""
from pkg.heads import ClampHead, StarHead
from pkg.heads.clamp import ByModule


def demonstrate():
    clamp, star, by_module = (kind().to("meta") for kind in (ClampHead, StarHead, ByModule))
    assert clamp.scale.is_meta
    assert by_module.low.is_meta
    assert not any(value.is_meta for value in (clamp.low, clamp.high, star.offset, by_module.high))
