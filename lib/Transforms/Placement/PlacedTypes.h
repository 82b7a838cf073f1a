//===- PlacedTypes.h - Devices as part of types -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_PLACEDTYPES_H
#define HETERO_TRANSFORMS_PLACEMENT_PLACEDTYPES_H

#include "hetero/Transforms/Placement/DeviceConstraints.h"

namespace mlir::hetero {

/// Sets the type of a result and, for constants, of the attribute that it has.
LogicalResult setTensorType(OpResult result, Type type);

/// The tensor type on a device. An error if it says something else already.
FailureOr<Type> placeType(Location loc, Type type, DeviceAttr device);

/// Types the arguments and results of a function by their annotations.
LogicalResult placeSignature(FunctionOpInterface function);

/// Types state, by the device that it has.
LogicalResult placeState(Operation *state);

/// Types what the operation makes, by the devices that it has.
LogicalResult placeResults(Operation *op, DeviceConstraints &constraints);

/// Types the arguments of regions and blocks that control flow carries tensors
/// in; those of functions have the types of the signature.
LogicalResult placeArguments(Operation *op, DeviceConstraints &constraints);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_PLACEDTYPES_H
