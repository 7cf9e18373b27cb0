"""What the files of a project share: most of them import all of it."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim

LIMIT = 7
