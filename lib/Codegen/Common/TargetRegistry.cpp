//===- TargetRegistry.cpp - Code generators by name -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Common/TargetRegistry.h"

using namespace mlir;
using namespace mlir::hetero;

const RegionGenerator *TargetRegistry::lookup(StringRef name) const {
  auto it = generators.find(name);
  return it == generators.end() ? nullptr : &it->second.first;
}

const RegionExplainer *TargetRegistry::lookupExplainer(StringRef name) const {
  auto it = generators.find(name);
  return it == generators.end() || !it->second.second ? nullptr
                                                      : &it->second.second;
}

TargetRegistry &TargetRegistry::get(HeteroDialect *dialect) {
  if (auto *registry = dialect->getRegisteredInterface<TargetRegistry>())
    return *const_cast<TargetRegistry *>(registry);
  return dialect->addInterface<TargetRegistry>();
}
