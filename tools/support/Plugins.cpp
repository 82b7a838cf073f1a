//===- Plugins.cpp - Plugins of the tools ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugins.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;
using namespace mlir::hetero;

/// Loads one file; nothing with the reason in `error`.
template <typename Plugin>
static std::optional<Plugin> loadPlugin(const std::string &file,
                                        llvm::StringRef option,
                                        std::string &error) {
  llvm::Expected<Plugin> plugin = Plugin::load(file);
  if (plugin)
    return std::move(*plugin);
  error = ("cannot load the plugin '" + file + "' of --" + option + ": " +
           llvm::toString(plugin.takeError()))
              .str();
  return std::nullopt;
}

bool Plugins::load(std::string &error) {
  for (const std::string &file : dialects) {
    auto plugin = loadPlugin<DialectPlugin>(file, dialects.ArgStr, error);
    if (!plugin)
      return false;
    loaded.push_back(std::move(*plugin));
  }
  for (const std::string &file : passes) {
    auto plugin = loadPlugin<PassPlugin>(file, passes.ArgStr, error);
    if (!plugin)
      return false;
    plugin->registerPassRegistryCallbacks();
  }
  return true;
}

void Plugins::registerDialects(DialectRegistry &registry) const {
  for (const DialectPlugin &plugin : loaded)
    plugin.registerDialectRegistryCallbacks(registry);
}
