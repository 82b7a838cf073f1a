// Operations of vector, shape, index and memref, which front ends and schedules
// leave in programs, have the numbers of their definition.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 0

// CASE: masked_read 8xf32=iota index=3 -> 8xf32=0,2,4,0,0,0,0,0
// CASE: masked_read 8xf32=iota index=8 -> 8xf32=0,2,4,6,8,10,12,14
// CASE: past_the_end 5xf32=iota -> 5xf32=4,6,8,18,18
// CASE: shuffled 8xf32=iota -> 4xf32=10,12,12,10
// CASE: gathered 8xf32=iota -> 4xf32=7,0,-1,3
// CASE: outer_product 3xf32=iota 2xf32=5,7 -> 3x2xf32=0,0,5,7,10,14
// CASE: transposed 3x2xf32=iota -> 2x3xf32=0,2,4,1,3,5 3xf32=2,6,10
// CASE: scanned 4xi32=3,1,-4,9 -> 4xi32=3,4,0,9 i32=9
// CASE: reductions 5xf32=1,-2,3,0.5,4 4xi32=14,7,6,-2 -> f32=6.5 f32=-12 f32=4 f32=-2 i32=6 i32=-15 i32=6
// CASE: contracted 2x3xf32=iota 3x2xf32=iota -> 2x2xf32=11,14,29,41
// CASE: lanes 4xf32=1,2,4,8 index=2 f32=-3 -> 8xf32=1,1,2,2,4,-3,8,8 f32=-3 2xf32=1,4
// CASE: stepped i32=3 -> 4xi32=0,3,6,9
// CASE: bits 4xf32=1,-2,0,0.5 -> 8xi16=0,16256,0,-16384,0,0,0,16128
// CASE: elements f32=5 f32=2 -> 4xf32=5,2,2,5 f32=3
// CASE: masked_memory 4xf32=5,6,7,8 -> 4xf32=5,6,6,7 4xf32=5,7,8,0
// CASE: scattered 4xf32=5,6,7,8 -> 4xf32=6,0,8,5
// CASE: rows_in_memory 2x4xf32=iota -> 2x4xf32=49,36,25,16,7,6,5,4 f32=126
// CASE: functions_of_vectors 4xf32=1,4,9,100 -> 4xf32=2,4,9,1024
// CASE: strided_views f32=7 -> 3x4xf32=0,0,0,0,7,0,0,0,0,7,0,0 4xf32=0,7,0,0
// CASE: metadata_of_memory index=3 -> index=3 index=2 index=3 index=4
// CASE: atomic_memory i32=3 -> i32=5 i32=8 i32=8
// CASE: atomic_memory i32=-9 -> i32=5 i32=-4 i32=5
// CASE: bytes_as_numbers index=16 -> f32=2.5
// CASE: shapes 4x3xf32=iota 1x3xf32=iota -> index=12 index=4 index=2
// CASE: indices index=17 index=5 -> index=3 index=4 index=2 index=17 index=68 i1=0

func.func @masked_read(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = vector.create_mask %n : vector<8xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}

// What is read outside is padding, what is written there is dropped.
func.func @past_the_end(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %p = arith.constant 9.0 : f32
  %v = vector.transfer_read %x[%c2], %p : tensor<5xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  %r = vector.transfer_write %w, %x[%c0] : vector<8xf32>, tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @shuffled(%x: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %a = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %b = vector.shuffle %a, %a [3, 2, 1, 4] : vector<4xf32>, vector<4xf32>
  %c = vector.broadcast %z : f32 to vector<4xf32>
  %w = vector.fma %a, %b, %c : vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @gathered(%x: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %d = arith.constant dense<-1.0> : vector<4xf32>
  %i = arith.constant dense<[7, 0, 3, 3]> : vector<4xindex>
  %m = arith.constant dense<[true, true, false, true]> : vector<4xi1>
  %w = vector.gather %x[%c0][%i], %m, %d : tensor<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @outer_product(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<3xf32>, vector<3xf32>
  %u = vector.transfer_read %y[%c0], %z {in_bounds = [true]} : tensor<2xf32>, vector<2xf32>
  %o = vector.outerproduct %v, %u : vector<3xf32>, vector<2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %r = vector.transfer_write %o, %e[%c0, %c0] {in_bounds = [true, true]} : vector<3x2xf32>, tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

func.func @transposed(%x: tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} : tensor<3x2xf32>, vector<3x2xf32>
  %t = vector.transpose %v, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %one = arith.constant dense<1.0> : vector<3xf32>
  %s = vector.multi_reduction <add>, %v, %one [1] : vector<3x2xf32> to vector<3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %f = tensor.empty() : tensor<3xf32>
  %r = vector.transfer_write %t, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %q = vector.transfer_write %s, %f[%c0] {in_bounds = [true]} : vector<3xf32>, tensor<3xf32>
  return %r, %q : tensor<2x3xf32>, tensor<3xf32>
}

func.func @scanned(%x: tensor<4xi32>) -> (tensor<4xi32>, i32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %k = arith.constant 0 : i32
  %v = vector.transfer_read %x[%c0], %k {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %a = vector.shape_cast %v : vector<4xi32> to vector<4x1xi32>
  %i = arith.constant dense<0> : vector<1xi32>
  %s, %l = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 0 : i64} : vector<4x1xi32>, vector<1xi32>
  %w = vector.shape_cast %s : vector<4x1xi32> to vector<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  %m = vector.reduction <maxsi>, %w : vector<4xi32> into i32
  return %r, %m : tensor<4xi32>, i32
}

func.func @reductions(%x: tensor<5xf32>, %n: tensor<4xi32>) -> (f32, f32, f32, f32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %k = arith.constant 0 : i32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<5xf32>, vector<5xf32>
  %u = vector.transfer_read %n[%c0], %k {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %0 = vector.reduction <add>, %v : vector<5xf32> into f32
  %1 = vector.reduction <mul>, %v : vector<5xf32> into f32
  %2 = vector.reduction <maximumf>, %v : vector<5xf32> into f32
  %3 = vector.reduction <minnumf>, %v : vector<5xf32> into f32
  %4 = vector.reduction <and>, %u : vector<4xi32> into i32
  %5 = vector.reduction <xor>, %u : vector<4xi32> into i32
  %6 = vector.reduction <minui>, %u : vector<4xi32> into i32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, i32, i32, i32
}

func.func @contracted(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
  %b = vector.transfer_read %y[%c0, %c0], %z {in_bounds = [true, true]} : tensor<3x2xf32>, vector<3x2xf32>
  %i = arith.constant dense<1.0> : vector<2x2xf32>
  %w = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %i : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %r = vector.transfer_write %w, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @lanes(%x: tensor<4xf32>, %i: index, %v: f32) -> (tensor<8xf32>, f32, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.insert %v, %a [%i] : f32 into vector<4xf32>
  %c = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>
  %s = vector.extract %b[%i] : f32 from vector<4xf32>
  %d, %f = vector.deinterleave %a : vector<4xf32> -> vector<2xf32>
  %g = arith.subf %f, %d : vector<2xf32>
  %e = tensor.empty() : tensor<8xf32>
  %h = tensor.empty() : tensor<2xf32>
  %r = vector.transfer_write %c, %e[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  %q = vector.transfer_write %g, %h[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
  return %r, %s, %q : tensor<8xf32>, f32, tensor<2xf32>
}

func.func @stepped(%n: i32) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %s = vector.step : vector<4xindex>
  %k = arith.index_cast %s : vector<4xindex> to vector<4xi32>
  %b = vector.broadcast %n : i32 to vector<4xi32>
  %w = arith.muli %k, %b : vector<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @bits(%x: tensor<4xf32>) -> tensor<8xi16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %w = vector.bitcast %v : vector<4xf32> to vector<8xi16>
  %e = tensor.empty() : tensor<8xi16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi16>, tensor<8xi16>
  return %r : tensor<8xi16>
}

func.func @elements(%a: f32, %b: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.from_elements %a, %b, %b, %a : vector<4xf32>
  %0:4 = vector.to_elements %v : vector<4xf32>
  %s = arith.subf %0#0, %0#2 : f32
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r, %s : tensor<4xf32>, f32
}

func.func @masked_memory(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    %s = tensor.extract %x[%i] : tensor<4xf32>
    memref.store %s, %m[%i] : memref<4xf32>
    memref.store %z, %o[%i] : memref<4xf32>
  }
  %k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %d = arith.constant dense<-1.0> : vector<4xf32>
  %v = vector.maskedload %m[%c0], %k, %d : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %o[%c0], %k, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %w = vector.expandload %m[%c0], %k, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%c0], %k, %w : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %u = bufferization.to_tensor %o restrict : memref<4xf32> to tensor<4xf32>
  return %t, %u : tensor<4xf32>, tensor<4xf32>
}

func.func @scattered(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<4xf32>)
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %i = arith.constant dense<[3, 0, 1, 2]> : vector<4xindex>
  %k = arith.constant dense<[true, true, false, true]> : vector<4xi1>
  vector.scatter %m[%c0][%i], %k, %v : memref<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

func.func @rows_in_memory(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<2x4xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %s = tensor.extract %x[%i, %j] : tensor<2x4xf32>
      affine.store %s, %m[%i, 3 - %j] : memref<2x4xf32>
    }
  }
  %v = affine.vector_load %m[1, 0] : memref<2x4xf32>, vector<4xf32>
  %w = arith.mulf %v, %v : vector<4xf32>
  affine.vector_store %w, %m[0, 0] : memref<2x4xf32>, vector<4xf32>
  %l = vector.load %m[%c0, %c0] : memref<2x4xf32>, vector<4xf32>
  %0 = vector.reduction <add>, %l : vector<4xf32> into f32
  %t = bufferization.to_tensor %m restrict : memref<2x4xf32> to tensor<2x4xf32>
  return %t, %0 : tensor<2x4xf32>, f32
}

func.func @functions_of_vectors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %a = math.sqrt %v : vector<4xf32>
  %b = math.exp2 %a : vector<4xf32>
  %c = arith.cmpf ogt, %b, %v : vector<4xf32>
  %w = arith.select %c, %b, %v : vector<4xi1>, vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @strided_views(%v: f32) -> (tensor<3x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<3x4xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<3x4xf32>)
  %t = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %v, %t[%c1, %c2] : memref<4x3xf32, strided<[1, 4]>>
  %w = memref.reinterpret_cast %m to offset: [4], sizes: [4], strides: [1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.store %v, %w[%c0] : memref<4xf32, strided<[1], offset: 4>>
  %s = memref.subview %m[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  %o = memref.alloc() : memref<4xf32>
  memref.copy %s, %o : memref<4xf32, strided<[1], offset: 8>> to memref<4xf32>
  %a = bufferization.to_tensor %m restrict : memref<3x4xf32> to tensor<3x4xf32>
  %b = bufferization.to_tensor %o restrict : memref<4xf32> to tensor<4xf32>
  return %a, %b : tensor<3x4xf32>, tensor<4xf32>
}

func.func @metadata_of_memory(%n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc(%n) : memref<?x4xf32>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  %d = memref.dim %m, %c0 : memref<?x4xf32>
  %k = memref.rank %m : memref<?x4xf32>
  return %d, %k, %s#0, %t#0 : index, index, index, index
}

func.func @atomic_memory(%n: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<1xi32>
  %k = arith.constant 5 : i32
  memref.store %k, %m[%c0] : memref<1xi32>
  %0 = memref.atomic_rmw addi %n, %m[%c0] : (i32, memref<1xi32>) -> i32
  %1 = memref.atomic_rmw maxs %k, %m[%c0] : (i32, memref<1xi32>) -> i32
  %2 = memref.atomic_rmw assign %n, %m[%c0] : (i32, memref<1xi32>) -> i32
  return %0, %1, %2 : i32, i32, i32
}

func.func @bytes_as_numbers(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<64xi8>
  %v = memref.view %m[%n][] : memref<64xi8> to memref<4xf32>
  %k = arith.constant 2.5 : f32
  linalg.fill ins(%k : f32) outs(%v : memref<4xf32>)
  %c3 = arith.constant 3 : index
  %0 = memref.load %v[%c3] : memref<4xf32>
  return %0 : f32
}

func.func @shapes(%x: tensor<?x3xf32>, %y: tensor<1x3xf32>) -> (index, index, index) {
  %0 = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %1 = shape.shape_of %y : tensor<1x3xf32> -> tensor<2xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %3 = shape.num_elements %2 : tensor<2xindex> -> index
  %c0 = arith.constant 0 : index
  %4 = shape.get_extent %2, %c0 : tensor<2xindex>, index -> index
  %5 = shape.rank %2 : tensor<2xindex> -> index
  return %3, %4, %5 : index, index, index
}

func.func @indices(%i: index, %j: index) -> (index, index, index, index, index, i1) {
  %0 = index.floordivs %i, %j
  %1 = index.ceildivs %i, %j
  %2 = index.rems %i, %j
  %3 = index.maxs %i, %j
  %4 = index.shl %i, %2
  %5 = index.cmp slt(%i, %j)
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, i1
}
