"""What prepares inputs gives features and a mask beside them: a mask holds whole numbers, whoever gave it."""
import torch
from torch import nn


class Preparer:
    def __init__(self, encoder):
        self.feature_extractor = encoder

    def lengths(self, audio):
        given = self.feature_extractor(audio)
        given["features_mask"] = given.pop("attention_mask")
        return given["features_mask"].sum(-1).cpu().numpy()  # ok: TL306

    def ids(self, audio):
        return self.feature_extractor(audio)["input_ids"].numpy()  # ok: TL306

    def features(self, audio):
        return self.feature_extractor(audio)["features"].cpu().numpy()  # expect: TL306

    def masks(self, audio):
        return self.feature_extractor(audio)["pred_masks"].cpu().numpy()  # expect: TL306  scores of a network


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 3)

    def forward(self, audio):
        scores = self.head(audio)
        mask = torch.ones(len(audio), 3, dtype=torch.long)
        return {"features": scores, "pred_masks": scores, "attention_mask": mask, "input_ids": mask}


def demonstrate():
    preparer, audio = Preparer(Encoder()), torch.ones(2, 3)
    assert preparer.lengths(audio).tolist() == [3, 3] and preparer.ids(audio).shape == (2, 3)
    for refused in (preparer.features, preparer.masks):
        try:
            refused(audio)
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError(refused)
