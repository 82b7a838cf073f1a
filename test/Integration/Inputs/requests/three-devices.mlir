// The host and two gpus: what objective=throughput divides by itself, a stage of
// the same length on each gpu.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, memory = 1073741824, compute = 500000000000, bandwidth = 100000000, launch = 100000>,
    #hetero.device_spec<device = #gpu0, memory = 1073741824, compute = 10000000000000, bandwidth = 1000000000, launch = 5000000>,
    #hetero.device_spec<device = #gpu1, memory = 1073741824, compute = 10000000000000, bandwidth = 1000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #gpu1, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu1, to = #gpu0, bandwidth = 2000000000, latency = 10000000>]>} {
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = math.absf %x : tensor<65536xf32>
  %1 = math.ceil %0 : tensor<65536xf32>
  return %1 : tensor<65536xf32>
}
}
