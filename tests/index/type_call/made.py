from torch import nn

Made = type("Made", (nn.Module,), {"size": 2})
Renamed = type("Renamed", (nn.Linear,), {})
Bare = type("Bare", (object,), {"module": nn.Module})
