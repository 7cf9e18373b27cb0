"""What autograd records: the methods that cut a graph, that keep one, and the names by which code calls networks and
losses. Seen with torch 2.13."""

from __future__ import annotations

import re

# Methods and attributes of a tensor whose result has no graph. Variable(x) is of this kind as well.
DETACHING = frozenset("detach detach_ data grad".split())
# Methods whose result is no tensor.
TO_PYTHON = frozenset("item tolist numpy asnumpy __array__ detach_to_numpy".split())
# Functions and methods whose result has integers or a mask, and so no graph, whatever goes in.
UNRECORDED = frozenset(
    """
    argmax argmin argsort argwhere nonzero searchsorted bucketize bincount histc multinomial eq ne gt lt ge le equal
    isnan isinf isfinite isclose allclose logical_and logical_or logical_not logical_xor any all unique one_hot
    count_nonzero sign_bit long int short char byte bool zeros_like ones_like full_like rand_like randn_like empty_like
    randint_like new_zeros new_ones new_full new_empty new_tensor is_tensor numel sample
    """.split()
)
# Functions that make a new tensor without one, on the CPU unless told otherwise.
FACTORIES = frozenset(
    """
    from_numpy frombuffer zeros ones full empty rand randn randint randperm arange range linspace logspace eye normal
    tril_indices triu_indices hann_window hamming_window empty_strided scalar_tensor
    """.split()
)
# Modules that have nothing to learn, by a word of their dotted name.
NO_NETWORKS = ("transform", "audio", "metric", "augment", "resampl", "filter", "kornia", "spectrogram")
# Functions and methods that give the values first and the positions second.
WITH_POSITIONS = frozenset("max min topk sort kthvalue median mode cummax cummin unique".split())
# Functions that make a new tensor of what they are given, on the CPU unless told otherwise.
REBUILDS = frozenset("tensor Tensor FloatTensor DoubleTensor HalfTensor as_tensor asarray".split())
# Operations that keep their result for the backward pass: to write into it changes the gradient.
SAVES_RESULT = frozenset(
    """
    sigmoid tanh exp expm1 softmax log_softmax sqrt rsqrt reciprocal relu relu_ elu celu selu leaky_relu_ tan sigmoid_
    tanh_ exp_ pow cumprod norm
    """.split()
)
# Layers of the same kind.
SAVES_RESULT_LAYERS = frozenset("Sigmoid Tanh Softmax LogSoftmax ReLU ELU CELU SELU Softmax2d".split())
# Operations that keep their input.
SAVES_INPUT = frozenset(
    """
    matmul mm bmm mul linear conv1d conv2d conv3d einsum square pow log log1p sin cos layer_norm batch_norm prod
    mse_loss smooth_l1_loss binary_cross_entropy gelu silu abs norm div
    """.split()
)

# What hand-written operations derive from: autograd runs their methods, and records nothing inside.
AUTOGRAD_FUNCTIONS = frozenset(
    """
    torch.autograd.Function torch.autograd.function.Function torch.autograd.function.InplaceFunction
    torch.autograd.function.NestedIOFunction
    """.split()
)
# A verb before the word makes a function of it that fetches or builds one: load_model(1), clip.get_clip(0).
NETWORK_NAME = re.compile(
    r"(?!_*(?:get|load|make|build|create|define|save|fetch|download|read)_)"
    r"_*(?:(?:\w+_)?(?:model|net|network|generator|discriminator|encoder|decoder|actor|critic|backbone|unet"
    r"|vae|classifier|regressor|teacher|student|transformer|resnet\d*|vgg\d*|bert|gpt\d*|lstm|gru|rnn|cnn|mlp|gan|clip"
    r"|actor_critic|autoencoder|extractor|policy_net|value_net|q_?net)(?:_?(?:\d+|[a-zA-Z]|net|model|src|tgt|ema|target"
    r"|local|eval|online|without_ddp))?|policy|net[A-Z_]\w*|[a-z]*Net|[DGQFE]_?(?:[AB12]|net)?|model[A-Z]\w*)"
)
NETWORK_METHODS = re.compile(
    r"forward|__call__|encode(?!rs?(_|$))\w*|decode(?!rs?(_|$))\w*|extract_features?|get_\w+_features|wrap_eval|module"
)
# Names of numbers that weigh the terms of a loss, and of what holds the settings of a program.
COEFFICIENT = re.compile(
    r"_?(\w+_)?(lam|lamb|lambda|lmbda|lambd|coeff?|coefficient|weight_decay|wd|l[12]|reg)(_\w+|\d*)"
)
SETTINGS = re.compile(r"_?(args|cfg|config|conf|opt|opts|options|hparams|hps|params|flags|FLAGS)")
# Names of what weighs a log probability.
WEIGHT = re.compile(
    r"_?(?:\w+_)?(?:weights?|rewards?|returns?|advantages?|adv|gains?|discounts?|gamma|scale|factor)(?:_\w+)?"
)
LOSS_NAME = re.compile(
    r"_*(?:\w*_)?(?:loss|losses|criterion|criterions|crit|objective|nll|bce|mse|mae|l1|ce|kld?|kl_div|kl_divergence"
    r"|cross_entropy|binary_cross_entropy|binary_cross_entropy_with_logits|elbo)(?:_?(?:fn|func|function|term|[a-z0-9]))?"
    r"|\w*(?:Loss|Criterion|Objective)|\w+_loss\w*|loss_\w+|criterion\w*",
)
# Functions that return the loss that somebody else backpropagates, and those that only measure.
GIVES_LOSS = re.compile(
    r"\w*loss\w*|\w*criterion\w*|\w*objective\w*|(?:training|train|generator|discriminator)_step|closure"
)
MEASURES = re.compile(r"\w*(?:metric|eval|valid|test|accuracy|infer|predict|sample|plot|report|log_loss|print)\w*")
BACKPROPAGATES = re.compile(
    r"backward|manual_backward|training_step|train_step|backprop\w*|\w*backward_step|backward_g"
)

# Hooks that a framework runs with gradients off.
WITHOUT_GRADIENTS = re.compile(
    r"on_(validation|test|predict|sanity).*|(validation|test|predict)_(step(_end)?|(epoch|batch)_(start|end))"
)
# Arithmetic that hands gradients on.
ARITHMETIC = frozenset(("+", "-", "*", "/", "**", "@", "%", "//"))
COMPARES = frozenset(("==", "!=", "<", ">", "<=", ">=", "is", "is not", "in", "not in", "not"))


def plain(operator: str) -> str:
    """The operator of an augmented assignment: "+" of "+="."""
    return operator.removesuffix("=") if operator.removesuffix("=") in ARITHMETIC else operator
