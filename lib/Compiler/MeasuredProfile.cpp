//===- MeasuredProfile.cpp - A profile from measured regions --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/MeasuredProfile.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include <map>

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

/// The operations of the region's body with their times in the cost model; none
/// where control flow says how often they run.
static RegionDescription
describeRegion(ExecuteOp region, const Topology &topology, TensorSizes &sizes) {
  RegionDescription result{region.getName().str(), {}};
  DeviceAttr device = region.getDevice().getBare();
  std::optional<DeviceIndex> index = topology.lookup(device);
  double total = 0;
  for (Operation &op : *region.getBodyBlock()) {
    if (!index || isControlFlow(&op))
      return {result.name, {}};
    if (!isa<PlacementOpInterface>(op) || !hasTensors(&op))
      continue;
    PlacementCost cost = getPlacementCost(&op, sizes);
    double time = topology.getComputeTime(&op, *index, cost);
    if (cost.flops == 0 && cost.bytes == 0)
      continue;
    result.operations.push_back({describe(&op, region.getDevice()), time,
                                 op.getLoc(),
                                 op.getName().getStringRef().str()});
    total += time;
  }
  for (RegionOperation &operation : result.operations)
    operation.share =
        total > 0 ? operation.share / total : 1.0 / result.operations.size();
  result.seconds = total * 1e-12;
  return result;
}

std::vector<RegionDescription> mlir::hetero::describeRegions(ModuleOp module) {
  Topology topology = Topology::get(module);
  TensorSizes sizes(module);
  std::vector<RegionDescription> regions;
  module.walk([&](ExecuteOp region) {
    regions.push_back(describeRegion(region, topology, sizes));
  });
  return regions;
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

/// Adds the seconds that the report has of one device to its regions.
static void
addSeconds(const llvm::json::Object &device, bool isKernel,
           llvm::ArrayRef<RegionDescription> regions,
           llvm::MapVector<const RegionDescription *, double> &seconds) {
  const llvm::json::Array *runs =
      device.getArray(isKernel ? "kernels" : "regions");
  for (const llvm::json::Value &value : runs ? *runs : llvm::json::Array()) {
    const llvm::json::Object *run = value.getAsObject();
    std::optional<double> time = run ? run->getNumber("seconds") : std::nullopt;
    if (!time)
      continue;
    llvm::StringRef name = run->getString("name").value_or("");
    if (int64_t region = findRegion(regions, name, isKernel); region >= 0)
      seconds[&regions[region]] += *time;
  }
}

bool mlir::hetero::printMeasuredProfile(
    llvm::StringRef report, llvm::ArrayRef<RegionDescription> regions,
    llvm::raw_ostream &os) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(report);
  if (!parsed) {
    consumeError(parsed.takeError());
    return false;
  }
  const llvm::json::Object *object = parsed->getAsObject();
  const llvm::json::Array *devices =
      object ? object->getArray("devices") : nullptr;
  if (!devices)
    return false;
  llvm::MapVector<const RegionDescription *, double> seconds;
  for (const llvm::json::Value &value : *devices)
    if (const llvm::json::Object *device = value.getAsObject())
      for (bool isKernel : {false, true})
        addSeconds(*device, isKernel, regions, seconds);
  // What a profile cannot tell apart has one time: the mean.
  std::map<std::string, std::pair<double, unsigned>> measured;
  for (auto [region, time] : seconds)
    for (const RegionOperation &operation : region->operations) {
      auto &[sum, count] = measured[operation.conditions];
      sum += time * operation.share;
      ++count;
    }
  os << "operations:\n";
  for (const auto &[conditions, times] : measured)
    os << "  - {" << conditions
       << ", seconds: " << llvm::formatv("{0:e6}", times.first / times.second)
       << "}\n";
  return true;
}
