//===- HeteroInterfaces.td - Interfaces for placement ------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROINTERFACES_TD
#define HETERO_DIALECT_HETERO_IR_HETEROINTERFACES_TD

include "mlir/IR/OpBase.td"

def Hetero_PlacementOpInterface : OpInterface<"PlacementOpInterface"> {
  let cppNamespace = "::mlir::hetero";
  let description = [{
    What placement has to know of an operation: which kinds of device it rules
    out, where its operands and results must be, what it costs, and whether it
    may be repeated on every device instead of copying its result. External
    models implement it for the upstream dialects; any dialect can implement it
    for its own operations. No pass asks for the names of foreign operations.
  }];
  let methods = [
    InterfaceMethod<
      [{Returns failure if the operation rules this kind of device out, with the
        reason in `reason` ("... is control flow, which the host runs"). What a
        kind runs of the rest is the kind's to say (`DeviceKind::canRun`).}],
      "::llvm::LogicalResult", "canRunOn",
      (ins "::llvm::StringRef":$kind, "::std::string &":$reason), [{}],
      [{ return ::mlir::success(); }]>,
    InterfaceMethod<"Where operand `index` must be.",
      "::mlir::hetero::PlacementConstraint", "getOperandConstraint",
      (ins "unsigned":$index), [{}],
      [{ return ::mlir::hetero::PlacementConstraint::SameAsOp; }]>,
    InterfaceMethod<"Where result `index` is.",
      "::mlir::hetero::PlacementConstraint", "getResultConstraint",
      (ins "unsigned":$index), [{}],
      [{ return ::mlir::hetero::PlacementConstraint::SameAsOp; }]>,
    InterfaceMethod<
      [{Arithmetic and memory traffic of one execution. `sizes` has those of
        dynamic dimensions.}],
      "::mlir::hetero::PlacementCost", "getPlacementCost",
      (ins "::mlir::hetero::TensorSizes &":$sizes), [{}],
      [{ return ::mlir::hetero::PlacementCost(); }]>,
    InterfaceMethod<
      [{True if repeating the operation is cheaper than copying its results:
        constants, tensor.empty, fills, views of such.}],
      "bool", "isReplicable", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<
      [{True if the operation reads the old value of operand `index`. False for
        a destination whose contents are overwritten: it is never copied.}],
      "bool", "readsOperand", (ins "unsigned":$index), [{}],
      [{ return true; }]>,
    InterfaceMethod<
      [{The state that the operation reads or writes by its name, or null. All
        that use one state run on one device, where it lives.}],
      "::mlir::SymbolRefAttr", "getState", (ins), [{}], [{ return {}; }]>,
  ];
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROINTERFACES_TD
