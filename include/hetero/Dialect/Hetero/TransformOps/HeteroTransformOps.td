//===- HeteroTransformOps.td - Transform dialect ops -------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_TD
#define HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_TD

include "hetero/Dialect/Hetero/IR/HeteroAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Hetero_TransformOp<string name>
    : TransformDialectOp<"hetero." # name,
                         [DeclareOpInterfaceMethods<TransformOpInterface>,
                          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::mlir::hetero";
}

def PlaceOnOp : Hetero_TransformOp<"place_on"> {
  let summary = "Annotates operations with a device";
  let description = [{
    Afterwards every operation of the handle carries `hetero.device`, and as its
    `hetero.origin` where the schedule says so: `schedule at FILE:LINE:COLUMN`.
    Written by the author of a schedule, run by `--transform-interpreter` before
    `--hetero-place`, which takes it like an annotation in the program.

    (C1) The device is either the attribute or a parameter, such as
    `transform.hetero.get_device` makes; not both. Of parameters there is one
    for all operations, or one for each.

    What a rule annotated is annotated anew: an annotation has priority over
    rules, whichever ran first. Of two annotations both hold: `gpu` and `gpu:1`
    make `gpu:1`.

    Definite failures, because the program or the schedule is wrong:
    - another device stands on the operation, in the program or by an earlier
      operation of the schedule;
    - the module's topology has no such device;
    - the module is placed already.

    Silenceable failures, before anything is annotated:
    - the device cannot run the operation;
    - the operation is none that gets a device: a terminator, one without
      tensors, or one in the body of another that is placed as a whole.

    An annotation on control flow or on a function is the default for the
    operations inside. The handles stay valid.

    ```mlir
    // hetero-opt --hetero-apply-schedule
    module attributes {transform.with_named_sequence} {
      func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
        %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
            outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
        return %0 : tensor<8x8xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %0 = transform.structured.match ops{["linalg.matmul"]} in %root
            : (!transform.any_op) -> !transform.any_op
        transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
        transform.yield
      }
    }
    // becomes
    %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at ..."}
        ins(...) outs(...) -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Optional<TransformParamTypeInterface>:$device_param,
                       OptionalAttr<Hetero_DeviceAttr>:$device);
  let assemblyFormat = [{
    $target (`on` $device_param^)? attr-dict
    `:` type($target) (`,` type($device_param)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Success if the module can be placed and has the device.
    ::mlir::DiagnosedSilenceableFailure
    checkModule(::mlir::ModuleOp module, const Topology &topology,
                DeviceAttr wanted);
    /// Success if the operation can run on the device.
    ::mlir::DiagnosedSilenceableFailure
    checkPayload(::mlir::Operation *op, const Topology &topology,
                 DeviceAttr wanted);
    /// Success if each operation can run on its device.
    ::mlir::DiagnosedSilenceableFailure
    checkPayloads(::llvm::ArrayRef<::mlir::Operation *> ops,
                  ::llvm::ArrayRef<DeviceAttr> devices);
    /// Success if nothing on the operation contradicts the device.
    ::mlir::DiagnosedSilenceableFailure
    checkAnnotation(::mlir::Operation *op, DeviceAttr wanted);
    /// The device of each of the operations.
    ::mlir::DiagnosedSilenceableFailure
    getDevices(::mlir::transform::TransformState &state, size_t numOps,
               ::llvm::SmallVectorImpl<DeviceAttr> &devices);
  }];
}

def GetDeviceOp : Hetero_TransformOp<"get_device"> {
  let summary = "Returns the devices that operations are annotated with";
  let description = [{
    Makes one parameter for each operation of the handle: its `hetero.device`,
    with unit and codegen. Written by the author of a schedule to put operations
    where others are.

    An operation without a device is a silenceable failure.

    ```mlir
    // hetero-opt --hetero-apply-schedule
    module attributes {transform.with_named_sequence} {
      func.func @main(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
        %0 = linalg.exp {hetero.device = #hetero.device<gpu:1>}
            ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %producer = transform.structured.match ops{["linalg.exp"]} in %root
            : (!transform.any_op) -> !transform.any_op
        %consumer = transform.structured.match ops{["linalg.abs"]} in %root
            : (!transform.any_op) -> !transform.any_op
        %device = transform.hetero.get_device %producer
            : (!transform.any_op) -> !transform.any_param
        transform.hetero.place_on %consumer on %device
            : !transform.any_op, !transform.any_param
        transform.yield
      }
    }
    // becomes
    %1 = linalg.abs {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at ..."} ins(...
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs Transform_AnyParamType:$device);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_TD
