//===- SystemSpec.h - Machines that DLTI describes --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream describes machines by `#dlti.target_system_spec`: devices by name,
// with any keys. Those of this dialect say what `#hetero.topology` says;
// docs/Topology.md has them. One can be made of the other, and back.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_MACHINE_SYSTEMSPEC_H
#define HETERO_DIALECT_HETERO_IR_MACHINE_SYSTEMSPEC_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// The machine of a module: its `hetero.topology`, else what its
/// `dlti.target_system_spec` says of devices. Null without either, and for a
/// system spec that verifySystemSpec() refuses.
TopologyAttr getTopologyAttr(ModuleOp module);

/// Reads the devices that have a key of this dialect. Null if none has. What a
/// device leaves out is as in the default topology; the host is added where it
/// is not described.
FailureOr<TopologyAttr>
readSystemSpec(TargetSystemSpecInterface spec,
               llvm::function_ref<InFlightDiagnostic()> emitError);

/// Emits an error if the module's system spec describes no machine.
LogicalResult verifySystemSpec(ModuleOp module);

/// A system spec that reads as this topology. What `present`, which may be
/// null, has of other devices and under other keys stays.
TargetSystemSpecAttr writeSystemSpec(TopologyAttr topology,
                                     TargetSystemSpecInterface present);

/// Checks one entry of a device of a system spec, whose key is of this dialect.
LogicalResult
verifySystemSpecEntry(DataLayoutEntryInterface entry,
                      llvm::function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_MACHINE_SYSTEMSPEC_H
