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
    before[op] = collect(op);
}

void PinGuard::runAfterPassFailed(Pass *, Operation *op) { before.erase(op); }

void PinGuard::runAfterPass(Pass *pass, Operation *op) {
  auto it = before.find(op);
  if (it == before.end())
    return;
  report(pass, it->second, it->second.empty() ? Pins() : collect(op));
  before.erase(it);
}

/// Warns of what is missing, where a device has fewer annotations than before:
/// what replaces an annotated operation may stand elsewhere.
void PinGuard::report(Pass *pass, ArrayRef<Pin> before, ArrayRef<Pin> after) {
  constexpr unsigned kMaxWarnings = 8;
  llvm::DenseMap<DeviceAttr, int64_t> lost;
  llvm::DenseMap<std::pair<Attribute, Attribute>, int64_t> kept;
  for (const Pin &pin : before)
    ++lost[pin.device];
  for (const Pin &pin : after) {
    --lost[pin.device];
    ++kept[{pin.device, pin.loc}];
  }
  unsigned numWarnings = 0;
  for (const Pin &pin : before) {
    if (kept[{pin.device, pin.loc}]-- > 0 || lost[pin.device]-- <= 0)
      continue;
    if (++numWarnings <= kMaxWarnings)
      emitWarning(pin.loc)
          << "pass '" << pass->getArgument() << "' drops this '" << pin.name
          << "' op, annotated with " << pin.device.str()
          << "; run it on the regions after hetero-partition, or annotate "
             "after it";
  }
  if (numWarnings > kMaxWarnings)
    emitWarning(before.front().loc)
        << "pass '" << pass->getArgument() << "' drops "
        << numWarnings - kMaxWarnings << " more annotations";
}
