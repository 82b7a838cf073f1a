//===- TargetRegistry.cpp - Code generators by device kind ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/TargetRegistry.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::hetero;

const RegionGenerator *TargetRegistry::lookup(DeviceAttr device) const {
  StringRef name =
      device.getCodegen().empty() ? device.getKind() : device.getCodegen();
  auto it = generators.find(name);
  return it == generators.end() ? nullptr : &it->second;
}

SmallVector<StringRef> TargetRegistry::getNames() const {
  SmallVector<StringRef> names(generators.keys());
  llvm::sort(names);
  return names;
}

TargetRegistry &TargetRegistry::get(HeteroDialect *dialect) {
  if (auto *registry = dialect->getRegisteredInterface<TargetRegistry>())
    return *const_cast<TargetRegistry *>(registry);
  return dialect->addInterface<TargetRegistry>();
}

void mlir::hetero::registerTargets(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    TargetRegistry &targets = TargetRegistry::get(dialect);
    targets.add("cpu", generateCPURegion);
    targets.add("gpu", generateGPURegion);
  });
}
