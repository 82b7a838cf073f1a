//===- HeteroVectorOps.td - Operations on vectors ----------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROVECTOROPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROVECTOROPS_TD

include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.td"

def Hetero_DotOp : Hetero_Op<"dot", [Pure,
    AllTypesMatch<["lhs", "rhs"]>, AllTypesMatch<["sums", "result"]>]> {
  let summary = "Adds the products of groups of narrow elements to wide lanes";
  let description = [{
    Lane `i` of the result is lane `i` of `sums` plus the products of the
    elements of group `i` of both vectors: of pairs of bf16 to f32, and of four
    i8 to i32, those of `lhs` without a sign and those of `rhs` with one. Sums of
    i32 wrap; the order in which a group is added to f32 is open, and so is what
    becomes of numbers that have no exponent of their own.

    - (C1) Groups are of two bf16 for a lane of f32, or of four i8 for one of
      i32.

    Created by `--hetero-codegen`, of i8 for processors that have an instruction
    for it (`vdpbf16ps`, `vpdpbusd`), and gone after
    `--hetero-expand-host-operations`, which makes this instruction of it, or
    arithmetic on vectors where the processor of the function has none that is
    worth it.

    ```mlir
    %1 = hetero.dot %a, %b into %0 : vector<32xbf16> into vector<16xf32>
    ```
  }];
  let arguments = (ins FixedVectorOfRankAndType<[1], [BF16, I8]>:$lhs,
    FixedVectorOfRankAndType<[1], [BF16, I8]>:$rhs,
    FixedVectorOfRankAndType<[1], [F32, I32]>:$sums);
  let results = (outs FixedVectorOfRankAndType<[1], [F32, I32]>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `into` $sums attr-dict `:` type($lhs) `into` type($sums)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Narrow elements for each wide lane.
    int64_t getGroup() {
      return getLhs().getType().getNumElements() /
             getSums().getType().getNumElements();
    }
  }];
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROVECTOROPS_TD
