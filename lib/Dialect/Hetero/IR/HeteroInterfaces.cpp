//===- HeteroInterfaces.cpp - Interfaces of the dialect -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

using namespace mlir;
using namespace mlir::hetero;

#include "hetero/Dialect/Hetero/IR/HeteroInterfaces.cpp.inc"
