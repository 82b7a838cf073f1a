"""ONNX graphs in operations that torch-mlir imports rightly.

engine.py replaces nodes by rules; builder.py writes what takes their place.
functions.py replaces nodes by ONNX's own definitions. The other files have the
rules, each for a kind of operation.
"""

from hetero.importers.rewrites import (
    control_flow,
    elements,
    functions,
    narrow_types,
    random_numbers,
    recurrent,
    resizing,
    sampling,
    spectral,
    sums,
    training,
    windows,
)
from hetero.importers.rewrites.engine import Rewriter

# What torch-mlir imports wrongly, or stops the process at.
_ALWAYS = {
    ("", "AveragePool"): windows.rewrite_average_pool,
    ("", "Compress"): elements.rewrite_compress,
    ("", "ConvTranspose"): windows.rewrite_conv_transpose,
    ("", "CumProd"): elements.rewrite_cumulative_product,
    ("", "DFT"): spectral.rewrite_dft,
    ("", "Dropout"): random_numbers.rewrite_dropout,
    ("", "Gelu"): elements.rewrite_gelu,
    ("", "GridSample"): sampling.rewrite_grid_sample,
    ("", "If"): control_flow.rewrite_if,
    ("", "Loop"): control_flow.rewrite_loop,
    ("", "LpNormalization"): elements.rewrite_lp_normalization,
    ("", "MatMul"): elements.rewrite_product,
    ("", "MatMulInteger"): elements.rewrite_integer_product,
    ("", "NonMaxSuppression"): elements.order_corners,
    ("", "ReduceMax"): elements.rewrite_reduce_extreme,
    ("", "ReduceMin"): elements.rewrite_reduce_extreme,
    ("", "Reshape"): elements.rewrite_reshape,
    ("", "Resize"): resizing.rewrite_unusual_resize,
    ("", "ReverseSequence"): elements.rewrite_reverse_sequence,
    ("", "Scan"): control_flow.rewrite_scan,
    ("", "SpaceToDepth"): elements.rewrite_space_to_depth,
    ("com.microsoft", "DynamicQuantizeLSTM"): recurrent.rewrite_quantized,
    ("ai.onnx.ml", "ArrayFeatureExtractor"): elements.rewrite_feature_extractor,
    ("ai.onnx.ml", "Binarizer"): elements.rewrite_binarizer,
    ("ai.onnx.preview.training", "Adagrad"): training.rewrite_adagrad,
    ("ai.onnx.preview.training", "Adam"): training.rewrite_adam,
    ("ai.onnx.preview.training", "Momentum"): training.rewrite_momentum,
    **{("", name): random_numbers.drop_seed for name in ("RandomNormalLike", "RandomUniformLike", "Bernoulli")},
    **{("", name): recurrent.rewrite_recurrent for name in ("GRU", "LSTM", "RNN")},
}
_ALWAYS |= {("", name): sums.in_f32(_ALWAYS.get(("", name))) for name in sums.OPERATIONS}
# What it imports in most cases, and better than these.
_OTHERWISE = {
    ("", "Col2Im"): windows.rewrite_col2im,
    ("", "ConvInteger"): windows.rewrite_conv_integer,
    ("", "DeformConv"): sampling.rewrite_deform_conv,
    ("", "LpPool"): windows.rewrite_lp_pool,
    ("", "MaxUnpool"): windows.rewrite_max_unpool,
    ("", "ReduceProd"): elements.rewrite_reduce_product,
    ("", "Resize"): resizing.rewrite_resize,
    ("", "RoiAlign"): sampling.rewrite_roi_align,
    ("", "ScatterElements"): elements.rewrite_scatter_extreme,
    ("", "TensorScatter"): elements.rewrite_tensor_scatter,
}


def rewrite(model):
    """The model with what can be replaced now, whose types are to be inferred again; None if there is nothing."""
    is_narrow = narrow_types.rewrite_narrow_types(model)
    is_changed = Rewriter(model, _ALWAYS).run() or is_narrow
    return functions.expand_always(model) or (model if is_changed else None)


def replace(model, nodes):
    """The model with other nodes instead of these, which cannot be imported; None if there are none."""
    is_changed = Rewriter(model, _OTHERWISE, nodes).run()
    kinds = {(node.op_type, tuple(node.output)) for node in nodes}
    left = [node for node in model.graph.node if (node.op_type, tuple(node.output)) in kinds]
    return functions.expand(model, left) or (model if is_changed else None)
