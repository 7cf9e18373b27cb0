"""Gets the objects as parameters, and does not import their classes."""
import torch


@torch.inference_mode()
def summaries(summarizer, texts):
    return torch.stack(summarizer(texts))


def translations(translator, texts):
    return torch.stack(translator(texts))
