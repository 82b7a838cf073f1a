//===- PinGuard.cpp - Annotations that passes drop ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PinGuard.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::hetero;

/// Passes of this project carry annotations on, and what runs after placement
/// finds the devices in types.
static bool isGuarded(Pass *pass, Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  return module && getPhase(module) < Phase::Placed &&
         !pass->getArgument().starts_with("hetero-") &&
         !pass->getArgument().starts_with("test-hetero-");
}

PinGuard::Pins PinGuard::collect(Operation *op) {
  Pins pins;
  op->walk([&](Operation *inner) {
    if (DeviceAttr device = getDevice(inner))
      pins.push_back({device, inner->getName(), inner->getLoc()});
  });
  return pins;
}

void PinGuard::runBeforePass(Pass *pass, Operation *op) {
  if (isGuarded(pass, op))
    before[{pass, op}] = collect(op);
}

void PinGuard::runAfterPassFailed(Pass *pass, Operation *op) {
  before.erase({pass, op});
}

void PinGuard::runAfterPass(Pass *pass, Operation *op) {
  auto it = before.find({pass, op});
  if (it == before.end())
    return;
  Pins pins = std::move(it->second);
  before.erase(it);
  if (pins.empty())
    return;
  Pins lost = findLost(pins, collect(op));
  report(pass, lost);
  forget(op, lost);
}

/// What is missing, where a device has fewer annotations than before: what
/// replaces an annotated operation may stand elsewhere.
PinGuard::Pins PinGuard::findLost(ArrayRef<Pin> before, ArrayRef<Pin> after) {
  llvm::DenseMap<DeviceAttr, int64_t> missing;
  llvm::DenseMap<std::pair<Attribute, Attribute>, int64_t> kept;
  for (const Pin &pin : before)
    ++missing[pin.device];
  for (const Pin &pin : after) {
    --missing[pin.device];
    ++kept[{pin.device, pin.loc}];
  }
  Pins lost;
  for (const Pin &pin : before)
    if (kept[{pin.device, pin.loc}]-- <= 0 && missing[pin.device]-- > 0)
      lost.push_back(pin);
  return lost;
}

void PinGuard::report(Pass *pass, ArrayRef<Pin> lost) {
  constexpr size_t kMaxWarnings = 8;
  StringRef name =
      pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  for (const Pin &pin : lost.take_front(kMaxWarnings))
    emitWarning(pin.loc)
        << "pass '" << name << "' drops this '" << pin.name
        << "' op, annotated with " << pin.device.str()
        << "; run it on the regions after hetero-partition, or annotate "
           "after it";
  if (lost.size() > kMaxWarnings)
    emitWarning(lost.front().loc)
        << "pass '" << name << "' drops " << lost.size() - kMaxWarnings
        << " more annotations";
}

/// The passes that run this one have not lost it besides.
void PinGuard::forget(Operation *op, ArrayRef<Pin> lost) {
  llvm::DenseMap<std::pair<Attribute, Attribute>, int64_t> counts;
  for (const Pin &pin : lost)
    ++counts[{pin.device, pin.loc}];
  for (auto &[key, pins] : before)
    if (!lost.empty() && key.second->isAncestor(op)) {
      auto left = counts;
      llvm::erase_if(pins, [&](const Pin &pin) {
        auto it = left.find({pin.device, pin.loc});
        return it != left.end() && it->second-- > 0;
      });
    }
}
