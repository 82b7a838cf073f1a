// RUN: hetero-opt %s --hetero-annotate='rules={[{group: contractions, device: gpu:0}, {group: normalization, device: gpu:1}, {group: elementwise, device: gpu:2}]}' | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate='rules={[{source: "Conv|MatMul", device: gpu:0}]}' | FileCheck %s --check-prefix=SOURCE
// RUN: hetero-opt %s --hetero-annotate='rules={[{name: "Conv/vonv.*", device: gpu}, {source: conw, device: gpu}, {name: "far/away", device: gpu}, {source: Conv, dtype: f64, device: gpu}]}' 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not hetero-opt %s --hetero-annotate='rules={[{group: convs, device: gpu}]}' 2>&1 | FileCheck %s --check-prefix=GROUP

// GROUP: <rules>:1:10: error: unknown group 'convs'; the groups are contractions, elementwise, normalization

// A name or a source that nothing has is a warning with what comes close; must
// not be one where another condition does not hold, or nothing comes close.
// NEAR: warning: rule 1 matches no operation; names that come close: Conv/conv1
// NEAR: warning: rule 2 matches no operation; sources that come close: Conv
// NEAR: warning: rule 3 matches no operation{{$}}
// NEAR: warning: rule 4 matches no operation{{$}}

// A normalization is what its name says, which a rule before the one for what
// is elementwise asks; must not act on what is in no group.
// CHECK-LABEL: func.func @network
// CHECK: linalg.fill ins
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}#hetero.device<gpu:0>
// CHECK: linalg.fill ins
// CHECK: linalg.add {{.*}}#hetero.device<gpu:2>
// CHECK: linalg.exp {{.*}}#hetero.device<gpu:1>
// CHECK: linalg.reduce
// CHECK-NOT: hetero.device
// CHECK: return
// SOURCE-LABEL: func.func @network
// SOURCE: linalg.conv_2d_nchw_fchw {{.*}}"rule 1"
// SOURCE-NOT: "rule 1"
func.func @network(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %s = tensor.empty() : tensor<1x4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("Conv/conv1")
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %a = linalg.add ins(%c, %g : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("Add/0")
  %n = linalg.exp ins(%a : tensor<1x4x6x6xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("Softmax/softmax1")
  %r = linalg.reduce {arith.addf} ins(%n : tensor<1x4x6x6xf32>) outs(%s : tensor<1x4x6xf32>) dimensions = [3]
  return %r : tensor<1x4x6xf32>
}
