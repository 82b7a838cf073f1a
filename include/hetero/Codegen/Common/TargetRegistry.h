//===- TargetRegistry.h - Code generators by name ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which code generator turns the body of a hetero.execute into tiled, fused
// tensor IR where `codegen = "..."` names one, instead of that of the device's
// kind: registered per context under this name.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_COMMON_TARGETREGISTRY_H
#define HETERO_CODEGEN_COMMON_TARGETREGISTRY_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <string>

namespace mlir::hetero {

/// Names the generator of the device's kind, as no name does.
inline constexpr llvm::StringLiteral kKindCodegen = "mlir";

/// True if the generator of the device's kind makes the code.
inline bool isGeneratedByKind(DeviceAttr device) {
  return device.getCodegen().empty() || device.getCodegen() == kKindCodegen;
}

/// Rewrites the body of one region in place; emits a diagnostic on failure.
using RegionGenerator = std::function<LogicalResult(ExecuteOp)>;

/// Told what becomes of an operation, and why.
using CodegenReport = llvm::function_ref<void(Location, const std::string &)>;

/// Reports what the generator would do with each operation of the region, and
/// leaves that as it is.
using RegionExplainer = std::function<LogicalResult(ExecuteOp, CodegenReport)>;

/// The registered code generators of a context.
class TargetRegistry : public DialectInterface::Base<TargetRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TargetRegistry)
  explicit TargetRegistry(Dialect *dialect) : Base(dialect) {}

  /// Registers a generator under a `codegen` name, and what
  /// --hetero-explain-codegen asks about its regions.
  void add(llvm::StringRef name, RegionGenerator generator,
           RegionExplainer explainer = {}) {
    generators[name] = {std::move(generator), std::move(explainer)};
  }

  /// The generator of this name; null if there is none.
  const RegionGenerator *lookup(llvm::StringRef name) const;

  /// The explainer of this name; null if there is none.
  const RegionExplainer *lookupExplainer(llvm::StringRef name) const;

  /// The registry of the context that the dialect belongs to.
  static TargetRegistry &get(HeteroDialect *dialect);

private:
  llvm::StringMap<std::pair<RegionGenerator, RegionExplainer>> generators;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_COMMON_TARGETREGISTRY_H
