"""A dict or tuple that is written out is unpacked into a call: its parts are the arguments, unless it was changed before."""

import torch
import torch.nn.functional as F


def by_name(logits):
    parts = {"input": logits, "target": torch.zeros(logits.shape[:1])}  # expect: TL201
    return F.cross_entropy(**parts)


def by_keyword(logits):
    parts = dict(target=torch.zeros(logits.shape[0]))  # expect: TL201
    return F.cross_entropy(logits, **parts)


def by_position(logits):
    return F.cross_entropy(*(logits, torch.zeros(len(logits))))  # expect: TL201


def replaced(logits):
    parts = {"input": logits, "target": torch.zeros(logits.shape[:1])}  # ok: TL201
    parts["target"] = parts["target"].long()
    return F.cross_entropy(**parts)


def replaced_inside(logits, others):
    parts = {"target": torch.zeros(logits.shape[:1]), **others}  # ok: TL201  another dict may replace it
    return F.cross_entropy(logits, **parts)


def repaired(logits):
    parts = [logits, torch.zeros(logits.shape[:1])]  # ok: TL201
    parts[1] = parts[1].long()
    return F.cross_entropy(*parts)


def whole(logits):
    parts = {"input": logits, "target": torch.zeros(logits.shape[:1], dtype=torch.long)}  # ok: TL201
    return F.cross_entropy(**parts)


def soft(logits):
    parts = {"input": logits, "target": torch.zeros(logits.shape[:2])}  # ok: TL201  a distribution for each sample
    return F.cross_entropy(**parts)


def soft_to_the_end(logits):
    return F.cross_entropy(logits, torch.zeros(logits.shape[0:]))  # ok: TL201


class Anchors:
    def __init__(self, anchors, names):
        self.anchors, self.names = anchors, names

    def wide(self):
        return self.anchors[:, None], self.names["all"]

    def of(self, rows):
        number = torch.round(rows / 2)  # expect: TL201
        return self.anchors[number]

    def named(self, rows):
        number = torch.round(rows / 2)  # ok: TL201  a dict takes any key
        return self.names[number]


def demo():
    logits, rows = torch.zeros(2, 3), torch.zeros(2)
    for fine in (replaced, repaired, whole, soft, soft_to_the_end):
        assert fine(logits) >= 0
    assert replaced_inside(logits, {"target": torch.zeros(2).long()}) > 0
    by_number = Anchors(logits, {}).of
    for refused, given in ((by_name, logits), (by_keyword, logits), (by_position, logits), (by_number, rows)):
        try:
            refused(given)
            raise AssertionError("a floating index")
        except (IndexError, RuntimeError) as error:
            assert "long" in str(error).lower() or "Long" in str(error)
