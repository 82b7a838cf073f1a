// RUN: hetero-opt %s --hetero-check-support --split-input-file --verify-diagnostics -o /dev/null
// RUN: not hetero-opt %s --hetero-pipeline --split-input-file -o /dev/null 2>&1 | FileCheck %s

// Acts: one error for all kinds of operations and types, wherever they stand:
// in control flow, in modules inside the module, in private functions.

// CHECK: check-support.mlir:{{.*}} error: not supported: type 'memref<4xf32, 3>', 'memref.dealloc' op, 'nvvm.barrier0' op; the notes say where each is, and what to do
// expected-error@+3 {{not supported: type 'memref<4xf32, 3>', 'memref.dealloc' op, 'nvvm.barrier0' op; the notes say where each is, and what to do}}
// expected-note@+2 {{type 'memref<4xf32, 3>', 1 time: memory spaces are devices; leave it out, or use hetero.device}}
module {
func.func @acts(%m: memref<4xf32, 3>, %n: memref<4xf32>, %c: i1) {
  scf.if %c {
    // expected-note-re@+1 {{'memref.dealloc' op, 2 times, also at {{[0-9]+}}:5: the compiler frees what a program allocates; remove it}}
    memref.dealloc %n : memref<4xf32>
  }
  return
}
module {
  func.func private @inside(%n: memref<4xf32>) {
    memref.dealloc %n : memref<4xf32>
    // expected-note@+1 {{'nvvm.barrier0' op, 1 time: its dialect is not compiled; lower it to linalg, tensor, arith, math, scf, cf or func}}
    nvvm.barrier0
    return
  }
}
}

// -----

// What stands in a module and holds no symbol, and kernels of the user's own.

// expected-error@+2 {{not supported: 'shard.grid' op, 'gpu.module' op; the notes say where each is, and what to do}}
// expected-note@+1 {{'shard.grid' op, 1 time: it stands outside of a function; move it into one}}
shard.grid @grid(shape = 2)
// expected-note@+1 {{'gpu.module' op, 1 time: its kernels become PTX; give it the target #nvvm.target, such as}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

// Entry points pass less than private functions do.

// expected-error@+3 {{not supported: type 'vector<4xf32>' at an entry point, type 'tensor<*xf32>' at an entry point; the notes say where each is, and what to do}}
// expected-note@+2 {{type 'vector<4xf32>' at an entry point, 1 time: it cannot cross an entry point; use}}
// expected-note@+1 {{type 'tensor<*xf32>' at an entry point, 1 time: entry points pass ranked values; cast it to a rank inside of a private function}}
func.func @entry(%v: vector<4xf32>, %t: tensor<*xf32>) {
  return
}
func.func private @private(%v: vector<4xf32>, %t: tensor<*xf32>) {
  return
}

// -----

// expected-error@+2 {{not supported: type 'memref<2xf32, strided<[2]>>' at an entry point; the notes say where each is, and what to do}}
// expected-note@+1 {{'memref<2xf32, strided<[2]>>' at an entry point, 1 time: what an entry point returns has no strides; copy it with memref.copy}}
func.func @strided(%m: memref<2xf32, strided<[2]>>) -> memref<2xf32, strided<[2]>> {
  return %m : memref<2xf32, strided<[2]>>
}

// -----

// Encodings and memory spaces of others.

// expected-error@+2 {{not supported: type 'tensor<4xf32, "dense">', 'bufferization.alloc_tensor' op; the notes say where each is, and what to do}}
// expected-note@+1 {{type 'tensor<4xf32, "dense">', 1 time: encodings are devices; leave it out}}
func.func @encoding(%t: tensor<4xf32, "dense">) {
  // expected-note@+1 {{'bufferization.alloc_tensor' op, 1 time: memory spaces are devices; leave it out, or use hetero.device}}
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  return
}

// -----

// Forms of operations of which others are compiled.

// expected-error@+4 {{not supported: 'memref.prefetch' op, 'bufferization.to_tensor' op, 'vector.load' op, 'vector.store' op; the notes say where each is, and what to do}}
func.func @forms(%m: memref<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{'memref.prefetch' op, 1 time: no device takes such a hint; remove it}}
  memref.prefetch %m[%c0, %c0], read, locality<3>, data : memref<4x4xf32>
  // expected-note@+1 {{'bufferization.to_tensor' op, 1 time: other tensors may be in its memory; say 'restrict' if none is}}
  %0 = bufferization.to_tensor %m : memref<4x4xf32> to tensor<4x4xf32>
  // expected-note@+1 {{'vector.load' op, 1 time: vectors are loaded row by row; use vector.transfer_read}}
  %1 = vector.load %m[%c0, %c0] : memref<4x4xf32>, vector<2x4xf32>
  // expected-note@+1 {{'vector.store' op, 1 time: vectors are stored row by row; use vector.transfer_write}}
  vector.store %1, %m[%c0, %c0] : memref<4x4xf32>, vector<2x4xf32>
  %2 = vector.load %m[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  vector.store %2, %m[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Masks are operands.

// expected-error@+5 {{not supported: 'vector.mask' op; the notes say where each is, and what to do}}
func.func @masks(%x: tensor<4xf32>, %y: tensor<4xf32>, %m: index, %z: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %m : vector<4xi1>
  // expected-note@+1 {{'vector.mask' op, 1 time: masks are operands; run --lower-vector-mask}}
  %0 = vector.mask %mask { vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %1 = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %2 = vector.transfer_write %1, %y[%c0], %mask {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A function that never returns, one with a linkage of its own, and a dimension
// that is none.

// expected-error@+2 {{not supported: 'func.func' op, 'tensor.dim' op; the notes say where each is, and what to do}}
// expected-note@+1 {{'func.func' op, 1 time: it never returns; end it with func.return}}
func.func private @endless(%x: tensor<4xf32>) {
  cf.br ^again
^again:
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{'tensor.dim' op, 1 time: the value has no such dimension; correct the index}}
  %0 = tensor.dim %x, %c1 : tensor<4xf32>
  cf.br ^again
}

// -----

// expected-error@+2 {{not supported: 'func.func' op; the notes}}
// expected-note@+1 {{'func.func' op, 1 time: linkage and calling convention are the compiler's; remove func.varargs and llvm.linkage}}
func.func private @variadic(i32) attributes {func.varargs = true}

// -----

// What calls or branches without saying where to, and operations of unknown
// meaning.

// expected-error@+4 {{not supported: 'func.call_indirect' op, 'tosa.custom' op, 'tosa.transpose_conv2d' op; the notes}}
func.func private @unknown(%f: (tensor<4xf32>) -> tensor<4xf32>, %g: (f32) -> f32, %v: f32, %x: tensor<4xf32>, %i: tensor<1x2x2x1xi8>, %w: tensor<1x1x1x1xi8>, %b: tensor<1xi32>, %z: tensor<1xi8>) -> tensor<4xf32> {
  %0 = func.call_indirect %g(%v) : (f32) -> f32
  // expected-note@+1 {{'func.call_indirect' op, 1 time: which function it calls with tensors is not known when it is compiled; use func.call}}
  %1 = func.call_indirect %f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note@+1 {{'tosa.custom' op, 1 time: nobody says what it computes; write it in other operations}}
  %2 = tosa.custom %1 {operator_name = "fold", domain_name = "origami", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note@+1 {{'tosa.transpose_conv2d' op, 1 time: its zero points are not constants; make them with tosa.const}}
  %3 = tosa.transpose_conv2d %i, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x2x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi32>
  return %2 : tensor<4xf32>
}

// -----

// Vectors as large as tensors; the largest that is compiled.

// expected-error@+5 {{not supported: type 'vector<257x256xf32>'; the notes}}
func.func @large(%x: memref<257x256xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-note@+1 {{type 'vector<257x256xf32>', 1 time: vectors have up to 65536 elements; tile before you vectorize}}
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<257x256xf32>, vector<257x256xf32>
  %1 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<257x256xf32>, vector<256x256xf32>
  return
}

// -----

// A region that never ends, and elements that lie closer in vectors than in memory.

// expected-error@+7 {{not supported: 'vector.load' op, 'vector.transfer_write' op, 'scf.execute_region' op; the notes}}
func.func private @dense(%m: memref<8xi1>, %n: memref<8xi24>, %b: memref<8xi16>, %t: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %b[%c0] : memref<8xi16>, vector<8xi16>
  vector.store %v, %b[%c0] : memref<8xi16>, vector<8xi16>
  %u = arith.extsi %v : vector<8xi16> to vector<8xi24>
  // expected-note@+1 {{'vector.load' op, 1 time: elements of this width lie closer in vectors than in memory; keep them as i8, i16, i32 or i64}}
  %w = vector.load %m[%c0] : memref<8xi1>, vector<8xi1>
  // expected-note@+1 {{'vector.transfer_write' op, 1 time: elements of this width lie closer in vectors than in memory; keep them as i8, i16, i32 or i64}}
  vector.transfer_write %u, %n[%c0], %w {in_bounds = [true]} : vector<8xi24>, memref<8xi24>
  // expected-note@+1 {{'scf.execute_region' op, 1 time: it never ends; end it with scf.yield}}
  %0 = scf.execute_region -> tensor<5xf32> {
    cf.br ^again(%t : tensor<5xf32>)
  ^again(%x: tensor<5xf32>):
    cf.br ^again(%x : tensor<5xf32>)
  }
  return %0 : tensor<5xf32>
}

// -----

// Elementwise operations on tensors of which nobody knows the rank.

// expected-error@+3 {{not supported: 'math.exp' op; the notes}}
func.func private @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-note@+1 {{'math.exp' op, 1 time: its tensors have no rank; cast them with tensor.cast}}
  %0 = math.exp %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Memory with a layout, and kernels for devices of others.

// expected-error@+2 {{not supported: 'memref.global' op, 'gpu.module' op, 'memref.alloc' op, 'memref.alloca' op; the notes}}
// expected-note@+1 {{'memref.global' op, 1 time: memory is allocated without gaps; leave the layout out, and use memref.subview}}
memref.global "private" constant @padded : memref<2x3xf32, strided<[4, 1]>> = dense<1.0>
// expected-note@+1 {{'gpu.module' op, 1 time: its kernels become PTX; give it the target #nvvm.target, such as}}
gpu.module @kernels [#nvvm.target, #rocdl.target] {
}
gpu.module @good_kernels [#nvvm.target] {
}
memref.global "private" constant @dense : memref<2x3xf32> = dense<1.0>
func.func private @layouts(%offset: index) {
  // expected-note@+1 {{'memref.alloc' op, 1 time: memory is allocated without gaps}}
  %0 = memref.alloc()[%offset] : memref<4xf32, affine_map<(i)[s] -> (i + s)>>
  // expected-note@+1 {{'memref.alloca' op, 1 time: memory is allocated without gaps}}
  %1 = memref.alloca() : memref<4xf32, strided<[2]>>
  %2 = memref.alloc() : memref<4xf32>
  return
}

// -----

// What casts hide: a value with other sizes, and slices outside of it.

// expected-error@+5 {{not supported: 'tensor.cast' op, 'tensor.extract_slice' op, 'tensor.insert_slice' op; the notes}}
func.func @hidden(%x: tensor<3x6xi32>, %y: tensor<5xf32>) -> (tensor<6x3xi32>, tensor<8xf32>, tensor<?xf32>) {
  %0 = tensor.cast %x : tensor<3x6xi32> to tensor<?x6xi32>
  %1 = tensor.cast %0 : tensor<?x6xi32> to tensor<?x?xi32>
  // expected-note@+1 {{'tensor.cast' op, 1 time: its operand had other sizes before it was cast; correct the type}}
  %2 = tensor.cast %1 : tensor<?x?xi32> to tensor<6x3xi32>
  %3 = tensor.cast %y : tensor<5xf32> to tensor<?xf32>
  // expected-note@+1 {{'tensor.extract_slice' op, 1 time: the slice is not inside of what was cast; correct its offsets and sizes}}
  %4 = tensor.extract_slice %3[0] [8] [1] : tensor<?xf32> to tensor<8xf32>
  // expected-note@+1 {{'tensor.insert_slice' op, 1 time: the slice is not inside of what was cast; correct its offsets and sizes}}
  %5 = tensor.insert_slice %y into %3[1] [5] [1] : tensor<5xf32> into tensor<?xf32>
  return %2, %4, %5 : tensor<6x3xi32>, tensor<8xf32>, tensor<?xf32>
}

// -----

func.func private @seen(%x: tensor<3x6xi32>, %y: tensor<5xf32>, %n: index) {
  %0 = tensor.cast %x : tensor<3x6xi32> to tensor<?x6xi32>
  %1 = tensor.cast %0 : tensor<?x6xi32> to tensor<3x?xi32>
  %2 = tensor.cast %y : tensor<5xf32> to tensor<?xf32>
  %3 = tensor.extract_slice %2[1] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %4 = tensor.extract_slice %2[%n] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return
}

// -----

// Types that the lowering has no place for.

// expected-error@+3 {{not supported: type '!llvm.struct<"_Converted.pair", (i32)>', type 'vector<[2]x4xf32>', type 'vector<[2]x[4]xi1>'; the notes}}
// expected-note@+2 {{type '!llvm.struct<"_Converted.pair", (i32)>', 1 time: such names are those of the lowering; rename it}}
// expected-note@+5 {{type 'vector<[2]x[4]xi1>', 1 time: only the last dimension of a vector can be scalable; unroll the others}}
func.func private @named(!llvm.struct<"_Converted.pair", (i32)>)
func.func private @good_struct(!llvm.struct<"pair", (i32)>)
// expected-note@+1 {{type 'vector<[2]x4xf32>', 1 time: only the last dimension}}
func.func private @scalable(%m: index, %v: vector<[2]x4xf32>, %w: vector<4x[2]xf32>) {
  %0 = vector.create_mask %m, %m : vector<[2]x[4]xi1>
  return
}

// -----

// Must not act: what is compiled, and the bodies of linalg operations.

func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%in: f32, %out: f32) {
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}

// -----

// Already done: a module of a later phase is not looked at.

module attributes {hetero.phase = #hetero.phase<gpu>} {
  gpu.module @kernels {
  }
}
