// Calls functions of another library between operations of a gpu. The memref is
// on the host when they run.

func.func private @host_log(tensor<4xf32>)
func.func private @host_sum(tensor<4xf32>) attributes {llvm.emit_c_interface}
func.func private @unused(f32) -> f32

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  call @host_log(%0) : (tensor<4xf32>) -> ()
  call @host_sum(%0) : (tensor<4xf32>) -> ()
  return %0 : tensor<4xf32>
}
