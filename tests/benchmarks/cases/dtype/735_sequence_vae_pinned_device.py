"""A sequence VAE pins its noise with .cuda() and its start state to a module-level device instead of following its input.

source: none in particular; common in research code with recurrent nets
rules: [TL207]
"""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class SequenceVAE(nn.Module):
    def __init__(self, feats=3, hidden=6, latent=2):
        super().__init__()
        self.hidden = hidden
        self.encoder = nn.GRU(feats, hidden, batch_first=True)
        self.mu, self.logvar = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Linear(latent, feats)

    def encode(self, x):
        h0 = torch.zeros(1, x.size(0), self.hidden, device=device)  # expect: TL207
        _, h = self.encoder(x, h0)
        return self.mu(h[-1]), self.logvar(h[-1])

    def reparameterize(self, mu, logvar):
        noise = torch.randn(mu.size()).cuda()  # expect: TL207
        return mu + noise * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decoder(z), mu, logvar


class SequenceVAEFixed(SequenceVAE):
    def encode(self, x):
        h0 = torch.zeros(1, x.size(0), self.hidden, device=x.device)  # ok: TL207
        _, h = self.encoder(x, h0)
        return self.mu(h[-1]), self.logvar(h[-1])

    def reparameterize(self, mu, logvar):
        noise = torch.randn(mu.size())
        if mu.is_cuda:
            noise = noise.cuda()  # ok: TL207
        return mu + noise * (0.5 * logvar).exp()


def train_epoch(model, loader, opt):
    total = 0.0
    for x in loader:
        x = x.to(next(model.parameters()).device)  # ok: TL207
        out, mu, logvar = model(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
        loss = (out - x.mean(1)).pow(2).mean() + kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += float(loss.detach())
    return total / len(loader)


def demonstrate():
    global device
    torch.manual_seed(0)
    from torch._subclasses.fake_tensor import FakeTensorMode

    bad, good = SequenceVAE(), SequenceVAEFixed()
    try:
        z = bad.reparameterize(torch.zeros(2, 2), torch.zeros(2, 2))
        assert z.is_cuda  # with a GPU: the CPU model's latent is dragged to the GPU or refused
    except (RuntimeError, AssertionError) as err:
        assert "CUDA" in str(err) or "same device" in str(err), err
    kept, device = device, torch.device("cuda")  # a machine with a GPU; the model itself stays on CPU
    try:
        with FakeTensorMode():
            for model, works in ((SequenceVAE(), False), (SequenceVAEFixed(), True)):
                try:
                    model.encode(torch.randn(2, 5, 3))
                    assert works
                except RuntimeError as err:
                    assert not works and "same device" in str(err), err
    finally:
        device = kept
    loader = [torch.randn(4, 5, 3) for _ in range(2)]
    assert train_epoch(good, loader, torch.optim.Adam(good.parameters())) > 0
