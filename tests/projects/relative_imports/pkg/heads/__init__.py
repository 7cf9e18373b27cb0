from .clamp import ClampHead, StarHead
