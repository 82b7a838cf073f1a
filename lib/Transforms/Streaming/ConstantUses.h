//===- ConstantUses.h - Who reads the constants of a device -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-stream-constants: the constants of one device after
// bufferization, what it costs to copy them from the host for each use, and the
// operations that read them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_STREAMING_CONSTANTUSES_H
#define HETERO_TRANSFORMS_STREAMING_CONSTANTUSES_H

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// A constant in the memory of a device.
struct ConstantOnDevice {
  memref::GlobalOp global;
  /// In memory, and of its elements alone.
  int64_t bytes, elementBytes;
  /// Picoseconds that its copies take in one run of the program, if it is
  /// copied for each operation that reads it.
  int64_t copyTime = 0;
  /// False if something reads it that is neither a kernel nor a copy within the
  /// device, or runs where no copy may stand.
  bool mayStream = true;

  StringRef getName() const {
    memref::GlobalOp op = global;
    return op.getName();
  }
};

/// A kernel that reads constants, by number, or a copy of one to a buffer.
struct ConstantReader {
  Operation *op;
  SmallVector<unsigned, 2> constants;
};

/// The readers of one function, in program order.
struct FunctionReaders {
  FunctionOpInterface function;
  SmallVector<ConstantReader, 0> readers;
};

/// The constants of one device, and the functions of the module in their order.
struct ConstantUses {
  DeviceAttr device;
  SmallVector<ConstantOnDevice, 0> constants;
  SmallVector<FunctionReaders, 0> functions;
};

/// Finds the constants on a device whose sizes are known. Nothing is streamed
/// over a path of several links, which needs buffers on its way.
ConstantUses findConstantUses(ModuleOp module, DeviceIndex device,
                              const Topology &topology, const BlockTree &tree);

/// The memref.get_global that the buffer is, or is a view of; null for what is
/// no constant.
memref::GetGlobalOp getConstantSource(Value buffer);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_STREAMING_CONSTANTUSES_H
