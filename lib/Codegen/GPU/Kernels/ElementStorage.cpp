//===- ElementStorage.cpp - How elements lie in memory --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementStorage.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

Type mlir::hetero::getStorageType(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isIndex())
    return IntegerType::get(context, 64);
  if (auto complex = dyn_cast<ComplexType>(element))
    return VectorType::get(2, complex.getElementType());
  return element.isInteger(1) || isFloat8(element)
             ? IntegerType::get(context, 8)
             : element;
}

/// One part of a complex number as it lies in memory.
static Value extractPart(OpBuilder &builder, Location loc, Value storage,
                         int64_t part) {
  return vector::ExtractOp::create(builder, loc, storage, part);
}

Value mlir::hetero::fromStorage(OpBuilder &builder, Location loc, Type type,
                                Value value) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, value);
  if (isFloat8(type))
    return arith::BitcastOp::create(builder, loc, type, value);
  if (isa<ComplexType>(type))
    return complex::CreateOp::create(builder, loc, type,
                                     extractPart(builder, loc, value, 0),
                                     extractPart(builder, loc, value, 1));
  return value;
}

Value mlir::hetero::toStorage(OpBuilder &builder, Location loc, Type type,
                              Value value) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
  if (isFloat8(type))
    return arith::BitcastOp::create(builder, loc, builder.getI8Type(),
                                    convertFloat(builder, loc, value, type));
  if (isa<FloatType>(type))
    return convertFloat(builder, loc, value, type);
  if (isa<ComplexType>(type)) {
    Value parts[] = {complex::ReOp::create(builder, loc, value),
                     complex::ImOp::create(builder, loc, value)};
    return vector::FromElementsOp::create(builder, loc, getStorageType(type),
                                          parts);
  }
  return value;
}
