"""Conversions that hand back what they were given where nothing has to be converted."""

from __future__ import annotations

import re

# Methods of a tensor: the same memory where the dtype, the device and the layout already fit; of numpy() in any case.
CONVERSIONS = frozenset(
    "to float half double bfloat16 long int short bool byte type type_as contiguous cpu cuda numpy".split()
)
# Functions that share the memory of an array or tensor where they can.
SHARING_FUNCTIONS = frozenset(("torch.as_tensor", "torch.asarray", "torch.from_numpy", "torch.from_dlpack"))
# Methods that hand back the same memory besides the views of the tables.
SHARING_METHODS = frozenset("detach requires_grad_ reshape reshape_as flatten ravel".split())
# In-place methods that leave every element as it is.
UNCHANGED = frozenset(
    """
    requires_grad_ share_memory_ rename_ detach_ squeeze_ unsqueeze_ t_ transpose_ swapaxes_ swapdims_ retain_grad_
    train_ eval_ as_strided_ resize_ resize_as_ set_ coalesced_ copy_to_ add_module_
    """.split()
)
# How a call that moves or converts a module may look in the text of a file.
CONVERTING_TEXT = re.compile(rb"\.[\s\\]*(?:to|cuda|half|bfloat16|double)\b")
