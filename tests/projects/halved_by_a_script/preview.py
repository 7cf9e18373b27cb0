"""Another script, which takes the network from the zoo."""

from nets.zoo import made


def previewed(name):
    net = made(name).eval()
    return net.half()
