// The host and one gpu, as the emulator takes them with bandwidth=1G and link=2G:
// copies in, the kernel, and copies out take turns in each request, and all at once
// in a pipeline. The kernel takes the longest.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, memory = 1073741824, compute = 500000000000, bandwidth = 50000000000, launch = 100000>,
    #hetero.device_spec<device = #gpu0, memory = 1073741824, compute = 10000000000000, bandwidth = 1000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 2000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 2000000000, latency = 10000000>]>} {
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = math.absf %x {hetero.device = #gpu0} : tensor<65536xf32>
  return %0 : tensor<65536xf32>
}
}
