// Two units of one gpu and one of another, and the host takes the result of the
// first stage: it waits there while other requests keep the gpus busy.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, memory = 1073741824, compute = 500000000000, bandwidth = 50000000000, launch = 100000>,
    #hetero.device_spec<device = #gpu0, memory = 1073741824, compute = 10000000000000, bandwidth = 1000000000, launch = 5000000>,
    #hetero.device_spec<device = #gpu1, memory = 1073741824, compute = 10000000000000, bandwidth = 1000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 2000000000, latency = 10000000>]>} {
func.func @main(%x: tensor<65536xf32>) -> (tensor<65536xf32>, tensor<65536xf32>) {
  %0 = math.absf %x {hetero.device = #hetero.device<gpu:0, unit = "a">} : tensor<65536xf32>
  %1 = arith.addf %0, %0 {hetero.device = #cpu} : tensor<65536xf32>
  %2 = math.ceil %1 {hetero.device = #hetero.device<gpu:1, unit = "b">} : tensor<65536xf32>
  %3 = math.absf %2 {hetero.device = #hetero.device<gpu:0, unit = "c">} : tensor<65536xf32>
  return %2, %3 : tensor<65536xf32>, tensor<65536xf32>
}
}
