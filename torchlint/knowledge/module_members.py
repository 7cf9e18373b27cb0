"""The names that every nn.Module has, so that reading one says nothing of the class (seen with torch 2.13.0)."""

from __future__ import annotations

MODULE_MEMBERS = frozenset(
    """
    T_destination __annotations__ __call__ __dict__ __getattr__ __module__ __setstate__ __weakref__ _apply
    _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl _forward_hooks
    _forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs
    _get_backward_hooks _get_backward_pre_hooks _get_name _is_full_backward_hook _load_from_state_dict
    _load_state_dict_post_hooks _load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook _modules
    _named_members _non_persistent_buffers_set _parameters _register_load_state_dict_pre_hook
    _register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _slow_forward _state_dict_hooks
    _state_dict_pre_hooks _version _wrapped_call_impl add_module apply bfloat16 buffers call_super_init children
    compile cpu cuda double dump_patches eval extra_repr float get_buffer get_extra_state get_parameter
    get_submodule half ipu load_state_dict modules mtia named_buffers named_children named_modules named_parameters
    parameters register_backward_hook register_buffer register_forward_hook register_forward_pre_hook
    register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook
    register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook
    register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty
    train training type xpu zero_grad
    """.split()
)

# The methods that torch itself, or every training script, calls on a module, with how many positional arguments they
# must take: at least and at most what stands here. `type` and `compile` are left out: they are names of everyday use.
CALLED_WITH = {
    **dict.fromkeys(
        """
        bfloat16 buffers children cpu double eval float half modules named_buffers named_children named_modules
        named_parameters parameters share_memory state_dict zero_grad requires_grad_
        """.split(),
        0,
    ),
    **dict.fromkeys(("to", "apply", "load_state_dict", "train"), 1),
    "cuda": 0,
}

# Those that the same method of a parent calls on each child (torch 2.13.0).
CALLED_BY_PARENTS = frozenset(("apply", "named_modules", "state_dict", "train"))

# What a parent's state_dict() passes to that of each child, by keyword.
STATE_DICT_KEYWORDS = ("destination", "prefix", "keep_vars")

# What the names of torch's layers have in them that compute otherwise in training than in evaluation (run with torch
# 2.13.0), and the layers with a dropout that is 0 unless it is asked for, or that hold other layers: of these it is not
# known.
_WITH_MODE = ("Dropout", "BatchNorm", "RReLU", "TransformerEncoderLayer", "TransformerDecoderLayer")
_WITH_MODE_MAYBE = (
    "LSTM", "GRU", "RNN", "MultiheadAttention", "InstanceNorm", "Transformer", "Sequential", "ModuleList", "ModuleDict",
    "Module", "Container",
)  # fmt: skip


def changes_with_mode(layer: str) -> bool | None:
    """Whether a layer of torch, by its name, computes otherwise in evaluation; None where that is not known."""
    last = layer.rpartition(".")[2]
    if any(part in last for part in _WITH_MODE):
        return True
    return None if any(part in last for part in _WITH_MODE_MAYBE) else False


def keeps_modes(base: str) -> bool:
    """True for a base whose trainer does not call train() on the whole before it fits: Lightning's, since 2.2."""
    return base.rpartition(".")[2] == "LightningModule"
