// A masked write keeps what its mask leaves out, whatever is written, and however
// it comes to be what another tensor holds.

// DEFINE: %{entry} = none
// DEFINE: %{run} = hetero-run %s --entry=%{entry} --input=8xi32=iota --input=8xi32=9

// REDEFINE: %{entry} = direct
// RUN: %{run} --input=index=3 --expected=8xi32=0,1,2,9,9,9,9,9
// RUN: %{run} --input=index=0 --expected=8xi32=9
// RUN: %{run} --input=index=8 --expected=8xi32=iota
// RUN: %{run} --input=index=3 --rules='{default: "gpu:0"}' --expected=8xi32=0,1,2,9,9,9,9,9
func.func @direct(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = vector.create_mask %n : vector<8xi1>
  %x = vector.transfer_read %a[%c0], %zero : tensor<8xi32>, vector<8xi32>
  %0 = vector.transfer_write %x, %b[%c0], %m : vector<8xi32>, tensor<8xi32>
  return %0 : tensor<8xi32>
}

// What is between goes away.
// REDEFINE: %{entry} = between
// RUN: %{run} --input=index=3 --expected=8xi32=0,1,2,9,9,9,9,9
func.func @between(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant dense<1> : vector<8xi32>
  %m = vector.create_mask %n : vector<8xi1>
  %x = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %y = arith.muli %x, %one : vector<8xi32>
  %0 = vector.transfer_write %y, %b[%c0], %m {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %0 : tensor<8xi32>
}

// Sizes that are found out later.
// REDEFINE: %{entry} = cast
// RUN: %{run} --input=index=3 --expected=8xi32=0,1,2,9,9,9,9,9
func.func @cast(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = vector.create_mask %n : vector<8xi1>
  %c = tensor.cast %b : tensor<8xi32> to tensor<?xi32>
  %d = tensor.cast %a : tensor<8xi32> to tensor<?xi32>
  %x = vector.transfer_read %d[%c0], %zero : tensor<?xi32>, vector<8xi32>
  %0 = vector.transfer_write %x, %c[%c0], %m : vector<8xi32>, tensor<?xi32>
  %1 = tensor.cast %0 : tensor<?xi32> to tensor<8xi32>
  return %1 : tensor<8xi32>
}
