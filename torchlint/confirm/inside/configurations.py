"""Configuration objects with small sizes."""

from __future__ import annotations

import inspect
from typing import Any

from .candidates import DIM, HEAD_DIM, HEADS, IMAGE, VOCABULARY, Parts, candidates, is_configuration, required

# What a configuration object is filled with where it has a field of this name.
SMALL: dict[str, Any] = {
    **dict.fromkeys(
        "hidden_size d_model n_embd embed_dim dim hidden_dim embedding_size embedding_dim word_embed_proj_dim".split(),
        DIM,
    ),
    **dict.fromkeys("intermediate_size ffn_dim encoder_ffn_dim decoder_ffn_dim d_ff n_inner".split(), 2 * DIM),
    **dict.fromkeys(
        "num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_decoder_layers depth".split(),
        2,
    ),
    **dict.fromkeys(
        "num_attention_heads n_head num_heads n_heads encoder_attention_heads decoder_attention_heads".split(), HEADS
    ),
    **dict.fromkeys(
        "head_dim d_kv qk_rope_head_dim qk_nope_head_dim v_head_dim mamba_d_state state_size".split(), HEAD_DIM
    ),
    **dict.fromkeys("vocab_size max_position_embeddings n_positions n_ctx max_source_positions".split(), VOCABULARY),
    **dict.fromkeys("patch_size window_size".split(), 4),
    **dict.fromkeys("q_lora_rank kv_lora_rank num_mel_bins".split(), 16),
    "image_size": IMAGE,
    "num_channels": 3,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def small(kind: type, parts: Parts) -> Any:
    """A configuration with small sizes in the fields that have well-known names. Raises what its constructor raises."""
    given = {name: value for name, value in SMALL.items() if name in _fields(kind)}
    for parameter in required(kind):
        if parameter.name not in given:
            given[parameter.name] = candidates(parameter, kind, parts)[0].make()
    while True:
        try:
            return shrunk(kind(**given))
        except Exception as error:
            # Some fields exclude each other, or are derived from others: the constructor names what it refuses.
            refused = [name for name in given if name in str(error)]
            if not given:
                raise
            for name in refused or list(given):
                del given[name]


def shrunk(configuration: Any, depth: int = 2) -> Any:
    """The configuration itself, with small sizes in the configurations that it holds."""
    for value in list(vars(configuration).values()) if depth and hasattr(configuration, "__dict__") else ():
        if is_configuration(type(value)):
            for name, size in SMALL.items():
                if type(vars(value).get(name)) is int:
                    setattr(value, name, size)
            shrunk(value, depth - 1)
    return configuration


def _fields(kind: type) -> set[str]:
    names = set(inspect.signature(kind).parameters)
    for owner in kind.__mro__:
        names |= set(getattr(owner, "__annotations__", ()))
    return names | {name for name in SMALL if hasattr(kind, name)} | set(getattr(kind, "attribute_map", ()))
