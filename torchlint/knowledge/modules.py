"""nn.Module classes by their dotted names: torch's own, and the bases that well-known libraries give their users."""

from __future__ import annotations

import re
import sys

from torchlint.knowledge.lookup import is_torch_layer, layer_children, layer_state

# Bases of torch that are not among the layers of torch.nn.
_TORCH_BASES = frozenset(
    """
    torch.nn.modules.Module torch.nn.modules.module.Module torch.jit.ScriptModule torch.jit.RecursiveScriptModule
    torch.nn.parallel.DistributedDataParallel torch.nn.parallel.distributed.DistributedDataParallel
    torch.nn.modules.loss._Loss torch.nn.modules.loss._WeightedLoss torch.nn.modules.batchnorm._BatchNorm
    torch.nn.modules.batchnorm._NormBase torch.nn.modules.batchnorm._LazyNormBase
    torch.nn.modules.instancenorm._InstanceNorm torch.nn.modules.conv._ConvNd torch.nn.modules.conv._ConvTransposeNd
    torch.nn.modules.pooling._MaxPoolNd torch.nn.modules.pooling._AvgPoolNd
    torch.nn.modules.pooling._AdaptiveAvgPoolNd torch.nn.modules.dropout._DropoutNd
    torch.nn.modules.padding._ConstantPadNd torch.fx.GraphModule torch.fx.graph_module.GraphModule
    torch.optim.swa_utils.AveragedModel torch.ao.quantization.ObserverBase torch.ao.quantization.MinMaxObserver
    torch.ao.quantization.MovingAverageMinMaxObserver torch.ao.quantization.PerChannelMinMaxObserver
    torch.ao.quantization.HistogramObserver torch.ao.quantization.FakeQuantizeBase torch.ao.quantization.FakeQuantize
    torch.ao.quantization.QuantWrapper torch.ao.quantization.QuantStub torch.ao.quantization.DeQuantStub
    torch.ao.quantization.observer.ObserverBase torch.ao.quantization.observer.UniformQuantizationObserverBase
    torch.ao.quantization.fake_quantize.FakeQuantizeBase torch.ao.quantization.fake_quantize.FakeQuantize
    """.split()
)
# Public bases of other libraries, under the names that people import them by and under the defining one.
_LIBRARY_BASES = frozenset(
    """
    lightning.LightningModule lightning.pytorch.LightningModule lightning.pytorch.core.LightningModule
    lightning.pytorch.core.module.LightningModule pytorch_lightning.LightningModule
    pytorch_lightning.core.LightningModule pytorch_lightning.core.module.LightningModule
    pytorch_lightning.core.lightning.LightningModule transformers.PreTrainedModel
    transformers.modeling_utils.PreTrainedModel transformers.modeling_layers.GradientCheckpointingLayer
    diffusers.ModelMixin diffusers.models.ModelMixin diffusers.models.modeling_utils.ModelMixin
    torch_geometric.nn.MessagePassing torch_geometric.nn.conv.MessagePassing
    torch_geometric.nn.conv.message_passing.MessagePassing torch_geometric.nn.Aggregation
    torch_geometric.nn.aggr.Aggregation torch_geometric.nn.aggr.base.Aggregation gpytorch.Module
    gpytorch.module.Module gpytorch.kernels.Kernel gpytorch.kernels.kernel.Kernel botorch.models.model.Model
    botorch.acquisition.acquisition.AcquisitionFunction torchmetrics.Metric torchmetrics.metric.Metric
    torchmetrics.MetricCollection pyro.nn.PyroModule pyro.nn.module.PyroModule
    pyro.contrib.gp.parameterized.Parameterized nemo.core.NeuralModule nemo.core.classes.NeuralModule
    nemo.core.classes.module.NeuralModule nemo.core.ModelPT nemo.core.classes.ModelPT
    nemo.core.classes.modelPT.ModelPT sentence_transformers.SentenceTransformer
    segmentation_models_pytorch.base.SegmentationModel segmentation_models_pytorch.base.model.SegmentationModel
    ultralytics.nn.tasks.BaseModel espnet2.train.abs_espnet_model.AbsESPnetModel
    espnet2.asr.encoder.abs_encoder.AbsEncoder peft.PeftModel peft.peft_model.PeftModel
    peft.tuners.tuners_utils.BaseTuner fairseq.models.BaseFairseqModel fairseq.models.FairseqEncoder
    fairseq.models.FairseqDecoder detectron2.modeling.Backbone detectron2.modeling.backbone.Backbone
    mmcv.runner.BaseModule mmengine.model.BaseModule mmengine.model.BaseModel tensordict.nn.TensorDictModule
    tensordict.nn.TensorDictModuleBase stable_baselines3.common.policies.BasePolicy
    stable_baselines3.common.torch_layers.BaseFeaturesExtractor nflows.transforms.Transform
    nflows.transforms.base.Transform nflows.distributions.Distribution escnn.nn.EquivariantModule e3nn.nn.Gate
    e3nn.o3.Linear e3nn.o3.TensorProduct allennlp.models.Model monai.networks.blocks.Convolution timm.layers.Mlp
    open_clip.CLIP kornia.augmentation.base._AugmentationBase torchvision.transforms.v2.Transform
    """.split()
)
# Every class of these packages is a module, but for the endings below.
_PACKAGES_OF_MODULES = (
    "gpytorch.kernels.", "gpytorch.means.", "gpytorch.likelihoods.", "gpytorch.models.", "gpytorch.variational.",
    "transformers.models.", "torchvision.models.", "torchvision.ops.", "torchaudio.transforms.", "timm.models.",
)  # fmt: skip
_NOT_MODULES = (
    "Config", "Output", "Tokenizer", "TokenizerFast", "Processor", "FeatureExtractor", "Cache", "Weights", "Enum",
    "Mixin",
)  # fmt: skip

_PLAIN_PACKAGES = frozenset(("numpy", "typing_extensions", "attr", "attrs", "pydantic", "click"))
_PLAIN_OF_TORCH = (
    "torch.utils.", "torch.optim.", "torch.autograd.", "torch.distributions.", "torch.Tensor", "torch.nn.Parameter",
    "torch.nn.Buffer", "torch.nn.parameter.", "torch.nn.utils.rnn.PackedSequence", "torch.fx.Interpreter",
    "torch.fx.Transformer", "torch.fx.interpreter.",
)  # fmt: skip

# What a recurrent layer calls the weights of its further layers and directions: weight_ih_l1, bias_hh_l0_reverse.
_DEEPER_LAYER = re.compile(r"_l\d+(?:_reverse)?$")

# Hooks that a framework's own construction, or its trainer before the first step, calls: part of construction.
CONSTRUCTION_HOOKS = ("configure_model", "configure_sharded_model", "post_init", "__post_init__", "__attrs_post_init__")


def is_module_class(name: str) -> bool:
    """True where the dotted name is known to be nn.Module or to derive from it; False also means not known."""
    if name in _TORCH_BASES or name in _LIBRARY_BASES or is_torch_layer(name):
        return True
    last = name.rpartition(".")[2]
    return name.startswith(_PACKAGES_OF_MODULES) and last[:1].isupper() and not last.endswith(_NOT_MODULES)


def is_library_base(name: str) -> bool:
    """True for a base of a well-known library, by its dotted name."""
    return name in _LIBRARY_BASES


def is_plain_class(name: str) -> bool:
    """True where the dotted name is known to be no nn.Module: the standard library's and numpy's classes, and torch's
    own that are none."""
    head = name.partition(".")[0]
    is_plain_of_torch = name.startswith(_PLAIN_OF_TORCH) and name not in _TORCH_BASES
    return head in sys.stdlib_module_names or head in _PLAIN_PACKAGES or is_plain_of_torch


def registered_by(base: str, attribute: str) -> str | None:
    """How a base outside the project registers an attribute: "parameter", "buffer", "module", or None."""
    parameters, buffers = layer_state(base)
    if attribute in parameters or _DEEPER_LAYER.sub("_l0", attribute) in parameters:
        return "parameter"
    if attribute in buffers:
        return "buffer"
    return "module" if attribute in layer_children(base) else None
