ml_program.global private mutable @state : tensor<?xf32>
func.func @main(%x: tensor<?xf32>) {
  ml_program.global_store @state = %x : tensor<?xf32>
  return
}
