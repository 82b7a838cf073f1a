//===- MeasuredRegions.cpp - What the runtime measures, in parts ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/MeasuredRegions.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/MachineCosts.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// In quotes that YAML takes nothing in for special.
static std::string quote(llvm::StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// "64x64xf32", of the type without its device.
static std::string describeType(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t size : type.getShape())
    (ShapedType::isDynamic(size) ? stream << "?" : stream << size) << "x";
  stream << type.getElementType();
  return text;
}

static std::string describe(Operation *op, DeviceAttr device) {
  std::string text = "op: " + op->getName().getStringRef().str();
  if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    text += ", name: " + quote(llvm::Regex::escape(name.getName()));
  llvm::SmallVector<std::string> types;
  for (Type type : op->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      types.push_back(quote(describeType(tensor)));
  text += ", operands: [" + llvm::join(types, ", ") +
          "], device: " + quote(device.getBare().str());
  if (!isGeneratedByKind(device))
    text += ", codegen: " + quote(device.getCodegen());
  return text;
}

/// Whether what the operation does is the same in every call.
static bool hasStaticSizes(Operation *op) {
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

static std::vector<std::string> listSources(Location loc) {
  std::vector<std::string> sources;
  forEachSource(loc, [&](llvm::StringRef name) {
    sources.push_back(name.str());
    llvm::replace(sources.back(), '\n', ' ');
  });
  return sources;
}

/// The operations of the region's body with their times as placement counts
/// them; none where control flow says how often they run.
static RegionDescription describeRegion(ExecuteOp region,
                                        const Topology &topology,
                                        TensorSizes &sizes, Profile *profile) {
  constexpr double kSecondsPerPicosecond = 1e-12;
  DeviceAttr device = region.getDevice().getBare();
  RegionDescription result{region.getName().str(), device, {}};
  std::optional<DeviceIndex> index = topology.lookup(device);
  // A library's times say nothing of the code that placement counts on.
  bool isOfKind = isGeneratedByKind(region.getDevice());
  double total = 0;
  for (Operation &op : *region.getBodyBlock()) {
    if (!index || isControlFlow(&op))
      return {result.name, device, {}};
    if (!isa<PlacementOpInterface>(op) || !hasTensors(&op))
      continue;
    PlacementCost cost = getPlacementCost(&op, sizes);
    if (cost.flops == 0 && cost.bytes == 0)
      continue;
    double seconds =
        estimateTime(&op, topology, *index, cost, profile).picoseconds *
        kSecondsPerPicosecond;
    result.operations.push_back(
        {describe(&op, region.getDevice()), /*share=*/0, op.getLoc(),
         op.getName().getStringRef().str(), listSources(op.getLoc()), seconds,
         isOfKind && hasStaticSizes(&op) ? std::optional(cost) : std::nullopt});
    total += seconds;
  }
  for (RegionOperation &operation : result.operations)
    operation.share =
        total > 0 ? operation.seconds / total : 1.0 / result.operations.size();
  result.seconds = total;
  return result;
}

ProgramParts mlir::hetero::describeParts(ModuleOp module, Profile *profile) {
  ProgramParts parts{getTopology(module, profile), {}};
  TensorSizes sizes(module);
  module.walk([&](ExecuteOp region) {
    parts.regions.push_back(
        describeRegion(region, parts.topology, sizes, profile));
  });
  return parts;
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

/// A region's name as it stands in those of its kernels.
static std::string kernelPrefix(llvm::StringRef region) {
  std::string name = region.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return (llvm::isDigit(name.front()) ? "_" : "") + name + "_";
}

int64_t mlir::hetero::findRegion(llvm::ArrayRef<RegionDescription> regions,
                                 llvm::StringRef name, bool isKernel) {
  int64_t found = -1;
  for (auto [index, region] : llvm::enumerate(regions))
    if (isKernel ? name.starts_with(kernelPrefix(region.name))
                 : name == region.name)
      if (found < 0 || region.name.size() > regions[found].name.size())
        found = index;
  return found;
}
