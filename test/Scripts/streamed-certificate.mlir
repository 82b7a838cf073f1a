// The copies of constants that a device has no room for are in the cost, in the
// links, and in the certificate, which is refused without them; what streams is
// not optimal if it would be cheaper with more memory.

// RUN: hetero-opt %s --hetero-place="certificate=%t.json report=%t.report" -o /dev/null
// RUN: FileCheck %s --input-file=%t.report
// RUN: %python %hetero_src/scripts/check-certificate %t.json | FileCheck %s --check-prefix=CHECKED
// RUN: %python %S/Inputs/without_streams.py %t.json %t.less
// RUN: not %python %hetero_src/scripts/check-certificate %t.less | FileCheck %s --check-prefix=REFUSED

// CHECK: "optimal": false
// CHECK: "copies": {{[3-9]}}
// CHECK: "streamed"
// CHECK: "constants": [[STREAMED:[23]]]
// CHECK: "links"
// CHECK: "to": "gpu:0"
// CHECK-NEXT: "copies": {{[34]}}
// CHECKED: sum {{[0-9]+}} ps, proved to be at least
// REFUSED: refused: not so that the placement costs

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000, bandwidth = 1000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 35000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @main(%x: tensor<2500xf32>) -> tensor<2500xf32> {
    %a = arith.constant dense<1.0> : tensor<2500xf32>
    %b = arith.constant dense<2.0> : tensor<2500xf32>
    %c = arith.constant dense<3.0> : tensor<2500xf32>
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.add ins(%x, %a : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.add ins(%0, %b : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.add ins(%1, %c : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}
