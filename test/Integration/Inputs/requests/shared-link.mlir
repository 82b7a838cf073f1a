// No link joins the gpus: what gpu:0 makes goes to gpu:1 and gpu:2 through the
// host, and crosses the link to it once. That link is the longest stage.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#gpu2 = #hetero.device<gpu:2>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, memory = 1073741824, compute = 500000000000, bandwidth = 50000000000, launch = 100000>,
    #hetero.device_spec<device = #gpu0, memory = 1073741824, compute = 10000000000000, bandwidth = 4000000000, launch = 5000000>,
    #hetero.device_spec<device = #gpu1, memory = 1073741824, compute = 10000000000000, bandwidth = 4000000000, launch = 5000000>,
    #hetero.device_spec<device = #gpu2, memory = 1073741824, compute = 10000000000000, bandwidth = 4000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 4000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 1000000000, latency = 10000000>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 4000000000, latency = 10000000>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 4000000000, latency = 10000000>,
    #hetero.link<from = #cpu, to = #gpu2, bandwidth = 4000000000, latency = 10000000>,
    #hetero.link<from = #gpu2, to = #cpu, bandwidth = 4000000000, latency = 10000000>]>} {
func.func @main(%x: tensor<65536xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = math.absf %x {hetero.device = #gpu0} : tensor<65536xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %1 = linalg.reduce {arith.maximumf} ins(%0 : tensor<65536xf32>) outs(%z : tensor<f32>) dimensions = [0] {hetero.device = #gpu1}
  %2 = linalg.reduce {arith.addf} ins(%0 : tensor<65536xf32>) outs(%z : tensor<f32>) dimensions = [0] {hetero.device = #gpu2}
  return %1, %2 : tensor<f32>, tensor<f32>
}
}
