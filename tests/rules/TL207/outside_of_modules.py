"""Outside of modules: a loss that pins what it makes is a note, a training script that moves its batches is none."""
import torch
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def entropy_loss(logits: torch.Tensor):
    weight = torch.linspace(0, 1, logits.size(1)).cuda()  # note: TL207
    return -(logits.softmax(-1) * logits.log_softmax(-1) * weight).sum(-1).mean()


def penalty(pred: torch.Tensor):
    return (pred * torch.ones(pred.shape).to(device)).sum()  # note: TL207


def entropy_loss_following(logits: torch.Tensor):
    weight = torch.linspace(0, 1, logits.size(1)).to(logits.device)  # ok: TL207
    return -(logits.softmax(-1) * logits.log_softmax(-1) * weight).sum(-1).mean()


def train(model, loader, optimizer):
    model.cuda()
    for image, target in loader:
        loss = F.cross_entropy(model(image.cuda()), target.to(device))  # ok: TL207  a script moves its batches
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.ones(2, 4)  # expect: TL204  this is what the function shows
        assert entropy_loss_following(x).shape == ()
        try:
            x * torch.ones(4, device="cuda")
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "same device" in str(error)
