//===- HeteroDialect.td - The hetero dialect ---------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETERODIALECT_TD
#define HETERO_DIALECT_HETERO_IR_HETERODIALECT_TD

include "mlir/IR/OpBase.td"

def Hetero_Dialect : Dialect {
  let name = "hetero";
  let cppNamespace = "::mlir::hetero";
  let summary = "Runs one program on several devices";
  let description = [{
    The dialect says where an operation runs and makes every transfer between
    devices an operation of its own.

    Before placement the device stands on operations, function arguments and
    function results as the discardable attribute `hetero.device`; after
    `--hetero-materialize-copies` it is in the tensor types, as their encoding.
    A tensor without an encoding is on the host. `hetero.copy` is the only
    operation whose operand and result are on different devices.

    Discardable attributes of the dialect:

    | attribute | on | meaning |
    |---|---|---|
    | `hetero.device` | ops, arguments, results | the device (`#hetero.device`) |
    | `hetero.origin` | ops | why the op stands there: `pinned` (here), `pinned at LOC` (by what stands there), `pinned with NAME`, `schedule at LOC`, `rule N`, `default`, `cost`, `host: ...`, `fallback: ...` |
    | `hetero.explain` | ops | what `--hetero-explain` says of the op; nothing reads it |
    | `hetero.phase` | the module | the last phase that ran (`#hetero.phase`) |
    | `hetero.topology` | the module | the machine (`#hetero.topology`) |
    | `hetero.colocate` | ops | a name; the ops of a function that have the same stand on one device |
    | `hetero.conflict` | ops, arguments, functions, the module | what becomes of what annotations leave open (`#hetero.conflict`); the innermost one decides |
    | `hetero.memory` | ops, arguments | the memory that the results are in (`#hetero.memory`) |
    | `hetero.pins`, `hetero.devices`, `hetero.default` | the module | how many annotations `--hetero-annotate` counted; the devices that the rules file names, and its default |
    | `hetero.carried` | control flow | after place: the device of each result and of the region argument tied to it; absent: the host |
    | `hetero.carried_inits` | loops whose arguments are not their results (`scf.while`) | the device of each init |
    | `hetero.block_arguments` | functions of several blocks | per block but the first, the device of each argument |
    | `hetero.donated` | arguments of entry points | the caller gives the buffer away, so that a result may be in it |
    | `hetero.region` | ops on buffers | the name of the `hetero.execute` that the op comes from |
    | `hetero.value` | copies | the name of the copied value in reports, from partition on |
    | `hetero.from`, `hetero.to` | `gpu.memcpy` | the two devices of a lowered copy |

    Constraints on `hetero.carried`, `hetero.carried_inits` and
    `hetero.block_arguments`:

    - C1: they are arrays of devices with an ordinal, one per value.
    - C2: what is not a ranked tensor is on the host.
    - C3: they stand on operations that have such values.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Registers this dialect's attributes; called by initialize().
    void registerAttributes();
  }];
}

#endif // HETERO_DIALECT_HETERO_IR_HETERODIALECT_TD
