//===- Passes.td - Simpler programs for placement ----------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_PASSES_TD
#define HETERO_TRANSFORMS_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def EraseUnusedPass : Pass<"hetero-erase-unused", "::mlir::ModuleOp"> {
  let summary = "Erases what no result and no side effect depends on";
  let description = [{
    Afterwards the results of public functions, or side effects, depend on every
    operation and on every value that `scf` or a branch carries, and a public
    function reaches every private one, if there is a public one. Chains of
    operations, control flow, and calls of functions without side effects go as
    a whole; private functions lose arguments and results that nothing needs.
    So annotations of these hold for nothing; a remark names each.

    ```mlir
    // hetero-opt --hetero-erase-unused
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32>
      %1 = math.sin %0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      %2 = math.cos %x : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
    %0 = math.cos %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::ub::UBDialect"];
}

def FoldConstantsPass : Pass<"hetero-fold-constants", "::mlir::ModuleOp"> {
  let summary = "Computes what depends on constants alone";
  let description = [{
    Afterwards no elementwise operation of linalg has only constants as inputs,
    and no transposition or reshape has one, if the result is not larger than
    what it is made of, nor than `max-bytes`: repeated weights and weights that
    are kept with fewer bits stay so. Elements are computed with the folds of
    their operations, as the host would, up to 2^18 of these per operation;
    moving them has no such limit.

    Constants of more than 256 bytes are resources. A constant has the location
    and the annotation of what it replaces, which takes only constants without
    annotation or with the same one. The elements of i1 and of sizes that are no
    whole bytes are not looked at.

    ```mlir
    // hetero-opt --hetero-fold-constants
    func.func @f() -> tensor<3x2xf32> {
      %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      %e = tensor.empty() : tensor<3x2xf32>
      %0 = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
      return %0 : tensor<3x2xf32>
    }
    // becomes
    %cst = arith.constant dense<[[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
    return %cst : tensor<3x2xf32>
    ```
  }];
  let options = [Option<"maxBytes", "max-bytes", "uint64_t", /*default=*/"1 << 26",
                        "The size of the largest constant that is made">];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldScalesPass : Pass<"hetero-fold-scales", "::mlir::ModuleOp"> {
  let summary = "Folds batch norm and other scales of channels into weights";
  let description = [{
    Afterwards no product or convolution of f32 with constant weights is
    followed by operations that only scale and shift its channels by constants:
    the weights are scaled, and what is shifted is one addition, which stands
    where the last of these operations stood. It has their locations, and the
    device of the last. A bias from which sums start is part of it. Batch norm
    is found whatever it consists of: one `linalg.generic` or several, with
    broadcasts of its statistics, and with views between it and the product
    that keep channels together.

    Operations with an annotation join only what has the same one. A result that
    others read too stays as it is, and so do weights that would not be finite.

    Of products of f16 and bf16 with sums of f32, the weights stay as they are,
    and what scales, shifts and rounds becomes one operation, which does both in
    f32 and rounds once.

    Sums are rounded otherwise than before, as in every runtime for networks.

    ```mlir
    // hetero-opt --hetero-fold-scales
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #channel = affine_map<(d0, d1) -> (d1)>
    func.func @f(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %scale = arith.constant dense<[2.0, 0.5]> : tensor<2xf32>
      %shift = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x2xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%fill : tensor<4x2xf32>) -> tensor<4x2xf32>
      %1 = linalg.generic {indexing_maps = [#map, #channel, #channel, #map], iterator_types = ["parallel", "parallel"]}
          ins(%0, %scale, %shift : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
      ^bb0(%y: f32, %a: f32, %b: f32, %out: f32):
        %2 = arith.mulf %y, %a : f32
        %3 = arith.addf %2, %b : f32
        linalg.yield %3 : f32
      } -> tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    // becomes
    %cst = arith.constant dense<[[2.000000e+00, 1.000000e+00], [6.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
    ...
    %2 = linalg.matmul ins(%arg0, %cst : tensor<4x2xf32>, tensor<2x2xf32>) outs(%1 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %cst_1 = arith.constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %cst_1 : tensor<4x2xf32>, tensor<2xf32>) outs(%0 : tensor<4x2xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %4 = arith.addf %in, %in_2 : f32
      linalg.yield %4 : f32
    } -> tensor<4x2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldMovementsPass : Pass<"hetero-fold-movements", "::mlir::ModuleOp"> {
  let summary = "Reads broadcasts and transpositions where they are used";
  let description = [{
    Afterwards no elementwise `linalg.generic` and no product of matrices reads
    what a broadcast has repeated, or what a transposition that nothing else
    reads has moved: their indexing maps lead to the original elements. Named
    products keep their names where their operation has such maps. No reshape
    reads another one where one would do, or none: upstream's patterns, for
    shapes of which at most one size is dynamic.

    Convolutions read images as they are: the order of these is chosen for the
    whole region when code is generated. An operation with an annotation is
    joined only by those without or with the same one.

    ```mlir
    // hetero-opt --hetero-fold-movements
    func.func @f(%x: tensor<3x4x8xf32>, %w: tensor<8x2xf32>, %zeros: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
      %e = tensor.empty() : tensor<3x8x2xf32>
      %0 = linalg.broadcast ins(%w : tensor<8x2xf32>) outs(%e : tensor<3x8x2xf32>) dimensions = [0]
      %1 = linalg.batch_matmul ins(%x, %0 : tensor<3x4x8xf32>, tensor<3x8x2xf32>) outs(%zeros : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
      return %1 : tensor<3x4x2xf32>
    }
    // becomes
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
    #map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    ...
    %0 = linalg.batch_matmul indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<3x4x8xf32>, tensor<8x2xf32>) outs(%arg2 : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergeEqualPass : Pass<"hetero-merge-equal", "::mlir::ModuleOp"> {
  let summary = "Computes once what is equal";
  let description = [{
    Afterwards no two operations without side effects compute the same of the
    same operands where one could stand for the other. Which operations are
    equal, upstream's elimination of common subexpressions says.

    Equal operations have the same annotation, their own or that of the control
    flow around them: what is to be computed on two devices still is. What stays
    has the locations of all that it stands for.

    Where a value without annotation is then needed on several devices, placement
    decides again, with what it costs, whether it is copied or made on each.

    ```mlir
    // hetero-opt --hetero-merge-equal
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      %2 = math.exp %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
      return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }
    // becomes
    %0 = math.exp %arg0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = math.exp %arg0 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
    return %0, %0, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

def RecognizeAttentionPass
    : Pass<"hetero-recognize-attention", "::mlir::ModuleOp"> {
  let summary = "Makes one operation of products, scale, mask and softmax";
  let description = [{
    Afterwards the softmax of a product, maybe scaled and with a mask added to
    it, times a matrix is one `tm_tensor.attention`, which is placed as one and
    becomes one region per block of heads. The operations are found as ONNX,
    PyTorch and JAX come out of their importers: a maximum, a difference, an
    exponential, a sum and a quotient along the last dimension, with views
    between these and the products that join batches and heads.

    A scale is a constant. A mask is anything that is added, of f32, and not
    larger than the scores; one that is smaller is repeated. All operations
    have the same annotation, or none has one: a rule for products alone leaves
    softmax where it would be otherwise. None but the last is read by others. A row whose
    mask is minus infinity everywhere becomes zeros, where the operations as
    they were written make numbers of it that are none.

    ```mlir
    // hetero-opt --hetero-recognize-attention
    func.func @f(%q: tensor<8x16x4xf32>, %kt: tensor<8x4x16xf32>, %v: tensor<8x16x4xf32>, %rows: tensor<8x16xf32>, %scores: tensor<8x16x16xf32>, %out: tensor<8x16x4xf32>) -> tensor<8x16x4xf32> {
      %zero = arith.constant 0.0 : f32
      %low = arith.constant 0xFF800000 : f32
      %zeros = linalg.fill ins(%zero : f32) outs(%scores : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
      %0 = linalg.batch_matmul ins(%q, %kt : tensor<8x16x4xf32>, tensor<8x4x16xf32>) outs(%zeros : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
      %lowest = linalg.fill ins(%low : f32) outs(%rows : tensor<8x16xf32>) -> tensor<8x16xf32>
      %1 = linalg.reduce {arith.maximumf} ins(%0 : tensor<8x16x16xf32>) outs(%lowest : tensor<8x16xf32>) dimensions = [2]
      %2 = linalg.broadcast ins(%1 : tensor<8x16xf32>) outs(%scores : tensor<8x16x16xf32>) dimensions = [2]
      %3 = linalg.sub ins(%0, %2 : tensor<8x16x16xf32>, tensor<8x16x16xf32>) outs(%scores : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
      %4 = linalg.exp ins(%3 : tensor<8x16x16xf32>) outs(%scores : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
      %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<8x16xf32>) -> tensor<8x16xf32>
      %5 = linalg.reduce {arith.addf} ins(%4 : tensor<8x16x16xf32>) outs(%none : tensor<8x16xf32>) dimensions = [2]
      %6 = linalg.broadcast ins(%5 : tensor<8x16xf32>) outs(%scores : tensor<8x16x16xf32>) dimensions = [2]
      %7 = linalg.div ins(%4, %6 : tensor<8x16x16xf32>, tensor<8x16x16xf32>) outs(%scores : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
      %8 = linalg.fill ins(%zero : f32) outs(%out : tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
      %9 = linalg.batch_matmul ins(%7, %v : tensor<8x16x16xf32>, tensor<8x16x4xf32>) outs(%8 : tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
      return %9 : tensor<8x16x4xf32>
    }
    // becomes
    %0 = tensor.empty() : tensor<8x16x4xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<8x4x16xf32>) outs(%0 : tensor<8x16x4xf32>) permutation = [0, 2, 1]
    %1 = tensor.empty() : tensor<8x16x4xf32>
    %2 = tm_tensor.attention {scale = 1.000000e+00 : f64} ins(%arg0, %transposed, %arg2 : tensor<8x16x4xf32>, tensor<8x16x4xf32>, tensor<8x16x4xf32>) outs(%1 : tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
    return %2 : tensor<8x16x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::hetero::tm_tensor::TMTensorDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ContractQuantizedPass : Pass<"hetero-contract-quantized", "::mlir::ModuleOp"> {
  let summary = "Multiplies quantized tensors as the integers that they are";
  let description = [{
    Afterwards products and convolutions whose two factors are dequantized i8,
    `scale * (extend(%q) - zero)`, sum up products of the integers in i32, and
    the sums are scaled. The integers of constants stay as narrow as they are. One
    scale, or one for each channel that is a dimension of the result; the zero
    points are taken off the sums:

    `sum((a - za) * (b - zb)) = sum(a * b) - za * sum(b) - zb * sum(a) + K * za * zb`

    Sums of constants are constants. `linalg.quantized_matmul` and
    `linalg.quantized_batch_matmul` are rewritten likewise. Transposes, broadcasts,
    views and pads with zeros may be between a factor and what dequantizes it:
    they move the integers instead, and a pad adds the zero point.

    Results are those of exact arithmetic, rounded once, where sums of f32 are
    rounded in every step. Products whose sums may not fit in 32 bits (more than
    33,025 steps, or a number that is not known) stay as they are.

    What replaces a product has its location and its annotations. Operations with
    an annotation are passed by only where the product has the same one.

    ```mlir
    // hetero-opt --hetero-contract-quantized
    #a = affine_map<(m, k) -> (m, k)>
    func.func @f(%qx: tensor<4x8xi8>, %qw: tensor<8x2xi8>, %zeros: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %zero = arith.constant 0.0 : f32
      %scale = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4x8xf32>
      %x = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel", "parallel"]}
          ins(%qx : tensor<4x8xi8>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%in: i8, %out: f32):
        %0 = arith.sitofp %in : i8 to f32
        %1 = arith.mulf %0, %scale : f32
        linalg.yield %1 : f32
      } -> tensor<4x8xf32>
      %f = tensor.empty() : tensor<8x2xf32>
      %w = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel", "parallel"]}
          ins(%qw : tensor<8x2xi8>) outs(%f : tensor<8x2xf32>) {
      ^bb0(%in: i8, %out: f32):
        %0 = arith.sitofp %in : i8 to f32
        %1 = arith.mulf %0, %scale : f32
        linalg.yield %1 : f32
      } -> tensor<8x2xf32>
      %start = linalg.fill ins(%zero : f32) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
      %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%start : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    // becomes
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x2xi8>) outs(%1 : tensor<4x2xi32>) {
    ^bb0(%in: i8, %in_0: i8, %out: i32):
      %5 = arith.extsi %in : i8 to i32
      %6 = arith.extsi %in_0 : i8 to i32
      %7 = arith.muli %5, %6 : i32
      %8 = arith.addi %out, %7 : i32
      linalg.yield %8 : i32
    } -> tensor<4x2xi32>
    %3 = tensor.empty() : tensor<4x2xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x2xi32>) outs(%3 : tensor<4x2xf32>) {
    ^bb0(%in: i32, %out: f32):
      %5 = arith.sitofp %in : i32 to f32
      %cst_0 = arith.constant 2.500000e-01 : f32
      %6 = arith.mulf %5, %cst_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // HETERO_TRANSFORMS_SIMPLIFY_PASSES_TD
