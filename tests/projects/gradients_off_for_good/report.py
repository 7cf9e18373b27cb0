"""A program that reports while it trains."""

from measuring import measured, values


def main(model, frames):
    loss = model(frames[0]).sum()
    loss.backward()
    return measured(model, frames), values(model, frames[0])
