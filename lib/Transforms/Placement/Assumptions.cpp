//===- Assumptions.cpp - What costs assume --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

static LogicalResult setAssumption(ModuleOp module, StringRef attrName,
                                   const AssumedCount &option) {
  if (std::optional<int64_t> number = option.get())
    module->setAttr(attrName, Builder(module).getI64IntegerAttr(*number));
  Attribute attr = module->getAttr(attrName);
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  if (!attr ||
      (number && number.getType().isSignlessInteger(64) && number.getInt() > 0))
    return success();
  return emitError(module.getLoc())
         << "expected '" << attrName << "' to be a positive i64, got " << attr
         << "; remove it for the default";
}

LogicalResult mlir::hetero::setTripCount(ModuleOp module,
                                         const AssumedCount &option) {
  return setAssumption(module, kTripCountAttrName, option);
}

LogicalResult mlir::hetero::setDynamicSize(ModuleOp module,
                                           const AssumedCount &option) {
  return setAssumption(module, kDynamicSizeAttrName, option);
}

//===----------------------------------------------------------------------===//
// Memory budgets
//===----------------------------------------------------------------------===//

/// "4GiB" in bytes; none for what is no size, or more than can be counted.
static std::optional<int64_t> parseBytes(StringRef text) {
  static constexpr std::pair<StringLiteral, int64_t> units[] = {
      {"KiB", int64_t(1) << 10},
      {"MiB", int64_t(1) << 20},
      {"GiB", int64_t(1) << 30},
      {"TiB", int64_t(1) << 40}};
  int64_t unit = 1, number, bytes;
  for (auto [name, size] : units)
    if (text.consume_back(name))
      unit = size;
  if (text.empty() || !llvm::all_of(text, llvm::isDigit) ||
      text.getAsInteger(10, number) || llvm::MulOverflow(number, unit, bytes) ||
      bytes == 0)
    return std::nullopt;
  return bytes;
}

/// One "gpu:0=4GiB" becomes an attribute of the device's name.
static LogicalResult addBudget(ModuleOp module, StringRef text,
                               SmallVectorImpl<NamedAttribute> &budgets) {
  auto [name, size] = text.trim().split('=');
  DeviceAttr device = parseDevice(name, module.getContext());
  std::optional<int64_t> bytes = parseBytes(size);
  if (!device || !device.hasOrdinal() || !bytes)
    return emitError(module.getLoc())
           << "expected the option 'memory-budget' to be a list like "
              "gpu:0=4GiB,gpu:1=512MiB, got '"
           << text
           << "'; write bytes, KiB, MiB, GiB or TiB for one device each";
  Builder builder(module.getContext());
  budgets.push_back(
      builder.getNamedAttr(device.str(), builder.getI64IntegerAttr(*bytes)));
  return success();
}

/// What the module says, whoever wrote it, is of devices that are there.
static LogicalResult checkBudgets(ModuleOp module, DeviceAttr extra) {
  Attribute attr = module->getAttr(kMemoryBudgetAttrName);
  auto budgets = dyn_cast_or_null<DictionaryAttr>(attr);
  if (attr && !budgets)
    return emitError(module.getLoc())
           << "expected '" << kMemoryBudgetAttrName
           << "' to be a dictionary of devices and bytes, got " << attr
           << "; write {\"gpu:0\" = 1073741824 : i64}";
  if (!budgets || budgets.empty())
    return success();
  Topology topology = Topology::get(module, extra);
  for (NamedAttribute budget : budgets) {
    DeviceAttr device =
        parseDevice(budget.getName().getValue(), module.getContext());
    auto bytes = dyn_cast<IntegerAttr>(budget.getValue());
    if (!bytes || !bytes.getType().isSignlessInteger(64) || bytes.getInt() <= 0)
      return emitError(module.getLoc())
             << "expected the memory budget of " << budget.getName().getValue()
             << " to be a positive i64, got " << budget.getValue()
             << "; write the number of bytes";
    if (!device || !device.hasOrdinal() || !topology.lookup(device))
      return emitError(module.getLoc())
             << "the memory budget names " << budget.getName().getValue()
             << ", which the topology does not have (" << topology.listDevices()
             << "); name one of these";
  }
  return success();
}

LogicalResult mlir::hetero::setMemoryBudget(ModuleOp module, StringRef option,
                                            DeviceAttr extra) {
  SmallVector<StringRef> parts;
  option.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<NamedAttribute> budgets;
  for (StringRef part : parts)
    if (failed(addBudget(module, part, budgets)))
      return failure();
  // The last one counts, as of options.
  NamedAttrList list(
      module->getAttrOfType<DictionaryAttr>(kMemoryBudgetAttrName));
  for (NamedAttribute budget : budgets)
    list.set(budget.getName(), budget.getValue());
  if (!budgets.empty())
    module->setAttr(kMemoryBudgetAttrName,
                    list.getDictionary(module.getContext()));
  return checkBudgets(module, extra);
}
