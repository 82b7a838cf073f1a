// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --enable-var-scope
// REQUIRES: x86-64

// Pairs of steps: the panel holds each pair of rows lane by lane, and a pair of the
// other operand is a word in all lanes. The first rows fill the panel.
// CHECK-LABEL: @pairs
// CHECK: tensor.empty() : tensor<48x128xbf16>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){24}tensor<48x128xbf16>}})
// CHECK:   vector.interleave {{.*}} : vector<16xi16> -> vector<32xi16>
// CHECK:   vector.transfer_write {{.*}} : vector<32xbf16>, tensor<48x128xbf16>
// CHECK:   vector.transfer_read {{.*}} : tensor<96x96xbf16>, vector<2xbf16>
// CHECK:   vector.broadcast {{.*}} : i32 to vector<16xi32>
// CHECK:   hetero.dot {{.*}} : vector<32xbf16> into vector<16xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK:   vector.transfer_read {{.*}} : tensor<48x128xbf16>, vector<32xbf16>
// CHECK-NOT: vector.interleave
// CHECK:   hetero.dot {{.*}} : vector<32xbf16> into vector<16xf32>
// CHECK-NOT: arith.mulf
func.func @pairs(%x: tensor<96x96xbf16>, %y: tensor<96x128xbf16>, %z: tensor<96x128xf32>) -> tensor<96x128xf32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "pairs" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x96xbf16>, %b = %y : tensor<96x128xbf16>, %c = %z : tensor<96x128xf32>) -> (tensor<96x128xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x96xbf16>, tensor<96x128xbf16>) outs(%c : tensor<96x128xf32>) {
    ^bb0(%i: bf16, %j: bf16, %o: f32):
      %p = arith.extf %i : bf16 to f32
      %q = arith.extf %j : bf16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<96x128xf32>
    hetero.yield %sum : tensor<96x128xf32>
  }
  return %r : tensor<96x128xf32>
}

// A step that is left over is a pair with zeros: nothing past the end is read.
// CHECK-LABEL: @left_over
// CHECK: tensor.empty() : tensor<34x32xbf16>
// CHECK: vector.transfer_read {{.*}}[%c66, %c0]{{.*}} : tensor<67x16xbf16>, vector<16xbf16>
// CHECK: vector.from_elements {{.*}} : vector<2xbf16>
func.func @left_over(%x: tensor<24x67xbf16>, %y: tensor<67x16xbf16>, %z: tensor<24x16xf32>) -> tensor<24x16xf32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "left_over" on #hetero.device<cpu:0>
      (%a = %x : tensor<24x67xbf16>, %b = %y : tensor<67x16xbf16>, %c = %z : tensor<24x16xf32>) -> (tensor<24x16xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<24x67xbf16>, tensor<67x16xbf16>) outs(%c : tensor<24x16xf32>) {
    ^bb0(%i: bf16, %j: bf16, %o: f32):
      %p = arith.extf %i : bf16 to f32
      %q = arith.extf %j : bf16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<24x16xf32>
    hetero.yield %sum : tensor<24x16xf32>
  }
  return %r : tensor<24x16xf32>
}

// Fours of steps. Of two operands with signs, one is read as if it had none, with
// its uppermost bits inverted, and each row takes 128 times the sum of what it read
// of the other.
// CHECK-LABEL: @fours
// CHECK: arith.xori {{.*}} : vector<64xi8>
// CHECK: hetero.dot {{.*}} : vector<64xi8> into vector<16xi32>
// CHECK: scf.for
// CHECK:   hetero.dot {{.*}} : vector<64xi8> into vector<16xi32>
// CHECK: vector.reduction <add>, {{.*}} : vector<16xi32> into i32
// CHECK: arith.shli {{.*}} : i32
// CHECK: arith.subi {{.*}} : vector<16xi32>
// CHECK-NOT: arith.muli
func.func @fours(%x: tensor<96x128xi8>, %y: tensor<128x64xi8>, %z: tensor<96x64xi32>) -> tensor<96x64xi32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "fours" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x128xi8>, %b = %y : tensor<128x64xi8>, %c = %z : tensor<96x64xi32>) -> (tensor<96x64xi32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%c : tensor<96x64xi32>) {
    ^bb0(%i: i8, %j: i8, %o: i32):
      %p = arith.extsi %i : i8 to i32
      %q = arith.extsi %j : i8 to i32
      %t = arith.muli %p, %q : i32
      %s = arith.addi %o, %t : i32
      linalg.yield %s : i32
    } -> tensor<96x64xi32>
    hetero.yield %sum : tensor<96x64xi32>
  }
  return %r : tensor<96x64xi32>
}

// One operand with a sign and one without are what the instruction takes.
// CHECK-LABEL: @mixed
// CHECK-NOT: arith.xori
// CHECK: hetero.dot {{.*}} : vector<64xi8> into vector<16xi32>
// CHECK-NOT: arith.subi {{.*}} : vector<16xi32>
func.func @mixed(%x: tensor<96x128xi8>, %y: tensor<128x64xi8>, %z: tensor<96x64xi32>) -> tensor<96x64xi32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "mixed" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x128xi8>, %b = %y : tensor<128x64xi8>, %c = %z : tensor<96x64xi32>) -> (tensor<96x64xi32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%c : tensor<96x64xi32>) {
    ^bb0(%i: i8, %j: i8, %o: i32):
      %p = arith.extui %i : i8 to i32
      %q = arith.extsi %j : i8 to i32
      %t = arith.muli %p, %q : i32
      %s = arith.addi %o, %t : i32
      linalg.yield %s : i32
    } -> tensor<96x64xi32>
    hetero.yield %sum : tensor<96x64xi32>
  }
  return %r : tensor<96x64xi32>
}

// Both operands along the reduction: lanes hold sums of groups.
// CHECK-LABEL: @lanes
// CHECK: vector.transfer_read {{.*}} : tensor<4x128xbf16>, vector<32xbf16>
// CHECK: hetero.dot {{.*}} : vector<32xbf16> into vector<16xf32>
// CHECK: vector.reduction <add>, {{.*}} : vector<16xf32> into f32
func.func @lanes(%x: tensor<4x128xbf16>, %y: tensor<16x128xbf16>, %z: tensor<4x16xf32>) -> tensor<4x16xf32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "lanes" on #hetero.device<cpu:0>
      (%a = %x : tensor<4x128xbf16>, %b = %y : tensor<16x128xbf16>, %c = %z : tensor<4x16xf32>) -> (tensor<4x16xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x128xbf16>, tensor<16x128xbf16>) outs(%c : tensor<4x16xf32>) {
    ^bb0(%i: bf16, %j: bf16, %o: f32):
      %p = arith.extf %i : bf16 to f32
      %q = arith.extf %j : bf16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<4x16xf32>
    hetero.yield %sum : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}

// So that many rows can share them, words are transposed into a panel, sixteen lanes
// and four groups at a time.
// CHECK-LABEL: @transposed
// CHECK: tensor.empty() : tensor<32x256xi8>
// CHECK: vector.transfer_read {{.*}} : tensor<64x128xi8>, vector<16xi8>
// CHECK: vector.bitcast {{.*}} : vector<16xi8> to vector<4xi32>
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
// CHECK: vector.bitcast {{.*}} : vector<16xi32> to vector<64xi8>
// CHECK: vector.transfer_write {{.*}} : vector<64xi8>, tensor<32x256xi8>
// CHECK: hetero.dot {{.*}} : vector<64xi8> into vector<16xi32>
func.func @transposed(%x: tensor<64x128xi8>, %y: tensor<64x128xi8>, %z: tensor<64x64xi32>) -> tensor<64x64xi32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "transposed" on #hetero.device<cpu:0>
      (%a = %x : tensor<64x128xi8>, %b = %y : tensor<64x128xi8>, %c = %z : tensor<64x64xi32>) -> (tensor<64x64xi32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x128xi8>, tensor<64x128xi8>) outs(%c : tensor<64x64xi32>) {
    ^bb0(%i: i8, %j: i8, %o: i32):
      %p = arith.extui %i : i8 to i32
      %q = arith.extsi %j : i8 to i32
      %t = arith.muli %p, %q : i32
      %s = arith.addi %o, %t : i32
      linalg.yield %s : i32
    } -> tensor<64x64xi32>
    hetero.yield %sum : tensor<64x64xi32>
  }
  return %r : tensor<64x64xi32>
}

// Must not act: the processor has no instruction for it.
// CHECK-LABEL: @without
// CHECK-NOT: hetero.dot
// CHECK: arith.muli {{.*}} : vector<16xi32>
func.func @without(%x: tensor<96x128xi8>, %y: tensor<128x64xi8>, %z: tensor<96x64xi32>) -> tensor<96x64xi32>
    attributes {hetero.processor = "avx512"} {
  %r = hetero.execute "without" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x128xi8>, %b = %y : tensor<128x64xi8>, %c = %z : tensor<96x64xi32>) -> (tensor<96x64xi32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%c : tensor<96x64xi32>) {
    ^bb0(%i: i8, %j: i8, %o: i32):
      %p = arith.extsi %i : i8 to i32
      %q = arith.extsi %j : i8 to i32
      %t = arith.muli %p, %q : i32
      %s = arith.addi %o, %t : i32
      linalg.yield %s : i32
    } -> tensor<96x64xi32>
    hetero.yield %sum : tensor<96x64xi32>
  }
  return %r : tensor<96x64xi32>
}

// Pairs of bf16 need none.
// CHECK-LABEL: @pairs_without
// CHECK: hetero.dot {{.*}} : vector<16xbf16> into vector<8xf32>
func.func @pairs_without(%x: tensor<96x128xbf16>, %y: tensor<128x64xbf16>, %z: tensor<96x64xf32>) -> tensor<96x64xf32>
    attributes {hetero.processor = "avx2"} {
  %r = hetero.execute "pairs_without" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x128xbf16>, %b = %y : tensor<128x64xbf16>, %c = %z : tensor<96x64xf32>) -> (tensor<96x64xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x128xbf16>, tensor<128x64xbf16>) outs(%c : tensor<96x64xf32>) {
    ^bb0(%i: bf16, %j: bf16, %o: f32):
      %p = arith.extf %i : bf16 to f32
      %q = arith.extf %j : bf16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<96x64xf32>
    hetero.yield %sum : tensor<96x64xf32>
  }
  return %r : tensor<96x64xf32>
}

// Must not act: there is none for f16.
// CHECK-LABEL: @halves
// CHECK-NOT: hetero.dot
func.func @halves(%x: tensor<96x128xf16>, %y: tensor<128x64xf16>, %z: tensor<96x64xf32>) -> tensor<96x64xf32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "halves" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x128xf16>, %b = %y : tensor<128x64xf16>, %c = %z : tensor<96x64xf32>) -> (tensor<96x64xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x128xf16>, tensor<128x64xf16>) outs(%c : tensor<96x64xf32>) {
    ^bb0(%i: f16, %j: f16, %o: f32):
      %p = arith.extf %i : f16 to f32
      %q = arith.extf %j : f16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<96x64xf32>
    hetero.yield %sum : tensor<96x64xf32>
  }
  return %r : tensor<96x64xf32>
}

// Must not act: no two elements of the first operand that are multiplied one after
// the other are next to each other.
// CHECK-LABEL: @columns
// CHECK-NOT: hetero.dot
func.func @columns(%x: tensor<128x96xbf16>, %y: tensor<128x64xbf16>, %z: tensor<96x64xf32>) -> tensor<96x64xf32>
    attributes {hetero.processor = "avx512bf16"} {
  %r = hetero.execute "columns" on #hetero.device<cpu:0>
      (%a = %x : tensor<128x96xbf16>, %b = %y : tensor<128x64xbf16>, %c = %z : tensor<96x64xf32>) -> (tensor<96x64xf32>) {
    %sum = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<128x96xbf16>, tensor<128x64xbf16>) outs(%c : tensor<96x64xf32>) {
    ^bb0(%i: bf16, %j: bf16, %o: f32):
      %p = arith.extf %i : bf16 to f32
      %q = arith.extf %j : bf16 to f32
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<96x64xf32>
    hetero.yield %sum : tensor<96x64xf32>
  }
  return %r : tensor<96x64xf32>
}
