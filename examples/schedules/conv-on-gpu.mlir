// Places the operations of ../conv-on-gpu.mlir by a schedule of the transform
// dialect instead of rules: the convolutions are found by their name and told
// apart by their order, and the bias and ReLU follow the first of them.
//
// Run it:
//   hetero-run examples/conv-on-gpu.mlir \
//     --schedule=examples/schedules/conv-on-gpu.mlir --report \
//     --input=1x3x10x10xf32=random:1 --input=8x3x3x3xf32=random:2 \
//     --input=8xf32=random:3 --input=4x8x3x3xf32=random:4

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %program: !transform.any_op {transform.readonly}) {
    %convolutions = transform.structured.match
      ops{["linalg.conv_2d_nchw_fchw"]} in %program
      : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %convolutions
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.hetero.place_on %first {device = #hetero.device<gpu:0>}
      : !transform.any_op
    transform.hetero.place_on %second {device = #hetero.device<gpu:1>}
      : !transform.any_op

    // What reads the first convolution follows it, wherever it is.
    %device = transform.hetero.get_device %first
      : (!transform.any_op) -> !transform.any_param
    %relu = transform.get_consumers_of_result %first[0]
      : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %relu on %device
      : !transform.any_op, !transform.any_param
    transform.yield
  }
}
