// A loop, a branch, a constant that is replicated, a group, and an element that
// the host reads.
#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 10000000000, launch = 1000>,
             #hetero.device_spec<device = #gpu, compute = 3000000000, bandwidth = 10000000000, launch = 2000, overlap = false>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 10000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 10000000000, latency = 3000>]>} {
  func.func @main(%a: tensor<1000xf32>, %e: tensor<1000xf32>, %p: i1) -> (tensor<1000xf32>, tensor<1000xf32>, f32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 5 : index
    %c = arith.constant dense<2.0> : tensor<1000xf32>
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.abs {hetero.device = #gpu} ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = scf.for %i = %zero to %many step %one iter_args(%x = %0) -> tensor<1000xf32> {
      %5 = linalg.mul ins(%x, %c : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
      scf.yield %5 : tensor<1000xf32>
    }
    %3 = scf.if %p -> tensor<1000xf32> {
      %6 = linalg.floor {hetero.colocate = "both"} ins(%1 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
      scf.yield %6 : tensor<1000xf32>
    } else {
      scf.yield %2 : tensor<1000xf32>
    }
    %4 = linalg.ceil {hetero.colocate = "both"} ins(%3 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %element = tensor.extract %1[%zero] : tensor<1000xf32>
    return %2, %4, %element : tensor<1000xf32>, tensor<1000xf32>, f32
  }
}
