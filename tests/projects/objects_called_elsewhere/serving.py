"""Makes the objects, calls them without gradients, and hands them on."""
import torch

from serving_by_name import summaries, translations
from writers import Summarizer, Translator


def serve(net, texts):
    write, render = Summarizer(net), Translator(net)
    with torch.no_grad():
        first = write(texts), render(texts)
    return first, summaries(write, texts), translations(render, texts)
