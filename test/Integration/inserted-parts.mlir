// Parts that one device makes go into tensors that another one has made.
// Work stays in its region, wherever the part could have been made in place.

// RUN: %python %S/every-placement.py %s
// CASE: after_fill 2x2xf32=1,2,3,4 -> 4x2xf32=2,4,6,8,1,2,0,0
// CASE: in_turns 2xf32=1,2 -> 6xf32=2,4,1,4,1,2
// CASE: dynamic 3xf32=1,2,3 -> 6xf32=2,4,6,1,2,3
// CASE: chosen 2xf32=1,2 i1=1 -> 4xf32=2,4,1,2
// CASE: chosen 2xf32=1,2 i1=0 -> 4xf32=1,4,1,2

func.func @after_fill(%x: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.empty() : tensor<2x2xf32>
  %whole = tensor.empty() : tensor<4x2xf32>
  %row = tensor.extract_slice %x[0, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<1x2xf32>
  %sum = linalg.add ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%part : tensor<2x2xf32>) -> tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%whole : tensor<4x2xf32>) -> tensor<4x2xf32>
  %third = tensor.insert_slice %row into %zeros[2, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x2xf32>
  %all = tensor.insert_slice %sum into %third[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x2xf32>
  return %all : tensor<4x2xf32>
}

func.func @in_turns(%x: tensor<2xf32>) -> tensor<6xf32> {
  %part = tensor.empty() : tensor<2xf32>
  %whole = tensor.empty() : tensor<6xf32>
  %sum = linalg.add ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%part : tensor<2xf32>) -> tensor<2xf32>
  %product = linalg.mul ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%part : tensor<2xf32>) -> tensor<2xf32>
  %last = tensor.insert_slice %x into %whole[4] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %middle = tensor.insert_slice %product into %last[2] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %all = tensor.insert_slice %sum into %middle[0] [2] [1] : tensor<2xf32> into tensor<6xf32>
  return %all : tensor<6xf32>
}

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %double = arith.addi %size, %size : index
  %part = tensor.empty(%size) : tensor<?xf32>
  %whole = tensor.empty(%double) : tensor<?xf32>
  %sum = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%part : tensor<?xf32>) -> tensor<?xf32>
  %last = tensor.insert_slice %x into %whole[%size] [%size] [1] : tensor<?xf32> into tensor<?xf32>
  %all = tensor.insert_slice %sum into %last[0] [%size] [1] : tensor<?xf32> into tensor<?xf32>
  return %all : tensor<?xf32>
}

func.func @chosen(%x: tensor<2xf32>, %condition: i1) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.empty() : tensor<2xf32>
  %whole = tensor.empty() : tensor<4xf32>
  %new = scf.if %condition -> tensor<2xf32> {
    %sum = linalg.add ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%part : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %sum : tensor<2xf32>
  } else {
    %product = linalg.mul ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%part : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %product : tensor<2xf32>
  }
  %zeros = linalg.fill ins(%zero : f32) outs(%whole : tensor<4xf32>) -> tensor<4xf32>
  %last = tensor.insert_slice %x into %zeros[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %all = tensor.insert_slice %new into %last[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %all : tensor<4xf32>
}
