//===- CopyRemarks.cpp - Says what is copied and why ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyRemarks.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-materialize-copies");
}

/// Users by name, the last one of the list first: "needed by A, B and 3 more".
static std::string describeUsers(Operation *instance) {
  constexpr size_t kMost = 4;
  SmallVector<Operation *> users(instance->getUsers());
  llvm::SmallSetVector<Operation *, 4> distinct(users.rbegin(), users.rend());
  std::string text;
  for (Operation *user : ArrayRef(distinct.getArrayRef()).take_front(kMost))
    text += (text.empty() ? "needed by " : ", ") + getOperationName(user);
  if (distinct.size() > kMost)
    text += " and " + std::to_string(distinct.size() - kMost) + " more";
  return text.empty() ? "needed by nothing" : text;
}

/// False if nobody listens.
static bool remarkOnCopy(CopyOp copy) {
  auto inserted = remark::passed(copy.getLoc(), remarkNamed("copy inserted"));
  if (!inserted)
    return false;
  auto type = cast<RankedTensorType>(copy.getType());
  inserted << remark::add("copy of {0} from {1} to {2}", getCopiedName(copy),
                          copy.getSourceDevice().str(),
                          copy.getResultDevice().str())
           << remark::reason("{0}", describeUsers(copy));
  if (type.hasStaticShape())
    inserted << remark::metric("Bytes", getTensorBytes(type));
  return true;
}

static bool remarkOnReplica(Operation *replica) {
  auto repeated = remark::passed(replica->getLoc(), remarkNamed("replicated"));
  if (!repeated)
    return false;
  repeated << remark::add("{0} repeated on {1}",
                          replica->getName().getStringRef().str(),
                          getDevice(replica).str())
           << remark::reason("cheaper than a copy; {0}",
                             describeUsers(replica));
  return true;
}

void mlir::hetero::remarkOnInstances(ArrayRef<Operation *> instances) {
  for (Operation *op : instances) {
    auto copy = dyn_cast<CopyOp>(op);
    if (!(copy ? remarkOnCopy(copy) : remarkOnReplica(op)))
      return;
  }
}
