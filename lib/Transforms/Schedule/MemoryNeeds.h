//===- MemoryNeeds.h - What functions need of a device ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that call each other have their memory at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_MEMORYNEEDS_H
#define HETERO_TRANSFORMS_SCHEDULE_MEMORYNEEDS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {

/// Of every place in an arena: a cache line on the host, elsewhere what the
/// CUDA driver aligns allocations to.
int64_t getAlignment(DeviceAttr device);

/// Bytes of static size that one function needs of each device for values.
struct FunctionMemory {
  StringAttr name;
  llvm::MapVector<Attribute, int64_t> arenas;
  /// Buffers that have no place in an arena, and, of an entry point, arguments.
  llvm::MapVector<Attribute, int64_t> others;
};

/// What a device keeps from call to call.
struct ResidentBytes {
  int64_t constants = 0, states = 0;
  int64_t getSum() const;
};
using ResidentByDevice = llvm::MapVector<Attribute, ResidentBytes>;

/// The constants and the state of static size, by device.
ResidentByDevice countResidentBytes(ModuleOp module);

/// Bytes of values on one device, by function of the module, in its arena and
/// elsewhere while the function runs, and the functions that each one calls.
struct FunctionNeeds {
  SmallVector<int64_t, 0> arenas, others;
  SmallVector<SmallVector<unsigned>, 0> callees;

  /// The most that functions take that run at the same time, with so much more
  /// in the arena of each. Of a recursion the first call counts.
  int64_t getPeak(ArrayRef<int64_t> more) const;
  int64_t getPeak() const;
};

/// Adds a buffer of static size to the bytes of its device.
void addBuffer(MemRefType type, llvm::MapVector<Attribute, int64_t> &bytes);
/// Adds what callers have on devices for an entry point.
void addArguments(FunctionOpInterface function,
                  llvm::MapVector<Attribute, int64_t> &bytes);

/// Adds the largest contiguous buffer of each device through which a copy may
/// cross whose end there has gaps; it is freed right after that.
void addPackedCopies(FunctionOpInterface function,
                     llvm::MapVector<Attribute, int64_t> &bytes);

/// True if no functions that run at the same time need more of a device than
/// what is resident leaves.
bool fitsTogether(ModuleOp module, ArrayRef<FunctionMemory> measured,
                  const ResidentByDevice &resident);

/// The needs of the functions of a module, as they were measured.
FunctionNeeds getFunctionNeeds(ModuleOp module,
                               ArrayRef<FunctionMemory> measured,
                               DeviceAttr device);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_MEMORYNEEDS_H
