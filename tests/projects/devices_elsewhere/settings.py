"""A device that a file chooses when it is imported."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
