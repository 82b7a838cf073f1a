//===- Profile.cpp - Measured times of operations -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Profile.h"

#include "YAMLReader.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

constexpr double kPicosecondsPerSecond = 1e12;

/// Rounded up, saturating. INT64_MAX means that the device cannot run it.
static int64_t toPicoseconds(double time) {
  constexpr double kMaxTime = 9.2e18;
  time = std::ceil(time);
  return time > kMaxTime ? INT64_MAX - 1 : static_cast<int64_t>(time);
}

/// True if the operation's first tensors have these types, wherever they are.
static bool hasOperands(Operation *op, ArrayRef<RankedTensorType> types) {
  for (Type type : op->getOperandTypes()) {
    if (types.empty())
      return true;
    if (!isa<TensorType>(type))
      continue;
    if (withoutDevice(type) != types.front())
      return false;
    types = types.drop_front();
  }
  return types.empty();
}

/// True if the code generator of this name has been measured.
static bool isBy(const Measurement &measurement, StringRef codegen) {
  StringRef own = measurement.codegen;
  if (own.empty())
    own = "mlir";
  return codegen.empty() ? own == "mlir" || own == "auto" : own == codegen;
}

std::optional<int64_t> Profile::lookup(Operation *op, DeviceAttr device,
                                       StringRef codegen) {
  auto [it, isNew] = candidates.try_emplace(op->getName());
  if (isNew)
    for (unsigned index = 0; index < measurements.size(); ++index)
      if (const auto &glob = measurements[index].op;
          !glob || glob->match(op->getName().getStringRef()))
        it->second.push_back(index);
  for (unsigned index : it->second) {
    const Measurement &measurement = measurements[index];
    if (!isBy(measurement, codegen) || !device.meet(measurement.device) ||
        !hasOperands(op, measurement.operands) ||
        (measurement.name && !measurement.name->matches(op->getLoc())))
      continue;
    used.set(index);
    return measurement.time;
  }
  return std::nullopt;
}

std::optional<int64_t> Profile::estimate(Operation *op, DeviceAttr device,
                                         PlacementCost cost) const {
  if (cost.flops == 0 && cost.bytes == 0)
    return std::nullopt;
  for (const FittedRoofline &roofline : rooflines) {
    if (!device.meet(roofline.device) ||
        (roofline.op && !roofline.op->match(op->getName().getStringRef())))
      continue;
    return toPicoseconds(
        roofline.launch +
        std::max(roofline.perFlop * cost.flops, roofline.perByte * cost.bytes));
  }
  return std::nullopt;
}

Topology Profile::applyLinks(const Topology &topology) const {
  SmallVector<LinkAttr> all;
  for (LinkAttr link : topology.getAttr().getLinks()) {
    auto measured = llvm::find_if(links, [&](const MeasuredLink &known) {
      return link.getFrom().meet(known.from) && link.getTo().meet(known.to);
    });
    if (measured != links.end() && !link.getUnified())
      link = LinkAttr::get(link.getContext(), link.getFrom(), link.getTo(),
                           measured->bandwidth, measured->latency,
                           /*unified=*/false);
    all.push_back(link);
  }
  // Between nodes a network may stand for the links.
  for (const MeasuredLink &known : links) {
    std::optional<DeviceIndex> from = topology.lookup(known.from),
                               to = topology.lookup(known.to);
    if (!from || !to || !topology.isJoinedByNetwork(*from, *to))
      continue;
    all.push_back(LinkAttr::get(known.from.getContext(),
                                topology.getDevice(*from),
                                topology.getDevice(*to), known.bandwidth,
                                known.latency, /*unified=*/false));
  }
  return topology.withLinks(all);
}

Topology mlir::hetero::getTopology(ModuleOp module, const Profile *profile,
                                   DeviceAttr extra) {
  Topology topology = Topology::get(module, extra);
  return profile ? profile->applyLinks(topology) : topology;
}

void Profile::reportIdle() const {
  // A roofline says that the file is for other shapes as well.
  auto isForOthers = [&](DeviceAttr device) {
    return llvm::any_of(rooflines, [&](const FittedRoofline &roofline) {
      return roofline.device.meet(device);
    });
  };
  for (auto [index, measurement] : llvm::enumerate(measurements))
    // What another code generator takes is not placement's to know.
    if (!used.test(index) && isBy(measurement, "") &&
        !isForOthers(measurement.device))
      emitWarning(measurement.loc)
          << "measurement " << index + 1
          << " is of no operation that the program has and "
          << measurement.device.str()
          << " can run, or an earlier one serves; correct or remove it";
}

//===----------------------------------------------------------------------===//
// Parser
//===----------------------------------------------------------------------===//

namespace {
class ProfileParser : public YAMLReader {
public:
  using YAMLReader::YAMLReader;

  FailureOr<Profile> parse();

private:
  LogicalResult parseMeasurement(Node *node);
  LogicalResult parseKey(StringRef key, Node *value, Measurement &measurement);
  LogicalResult parseOperand(Node *node, Measurement &measurement);
  LogicalResult parseSeconds(Node *node, Measurement &measurement);
  LogicalResult parseDevice(Node *value, DeviceAttr &device);
  LogicalResult parseRate(StringRef key, Node *value, double &picoseconds);
  LogicalResult parseRoofline(Node *node);
  LogicalResult parseLink(Node *node);

  ProfileContents contents;
};
} // namespace

/// "5x7xf32", or with tensor<> around it.
LogicalResult ProfileParser::parseOperand(Node *node,
                                          Measurement &measurement) {
  FailureOr<std::string> text = parseScalar(node, "a type");
  if (failed(text))
    return failure();
  bool isFull = StringRef(*text).starts_with("tensor<");
  RankedTensorType type;
  {
    // The parser's own message would speak of a line in the type's text.
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    type = dyn_cast_or_null<RankedTensorType>(
        parseType(isFull ? *text : "tensor<" + *text + ">", context));
  }
  if (!type)
    return error(node) << "expected the type of a tensor like 5x7xf32, got '"
                       << *text << "'";
  measurement.operands.push_back(type);
  return success();
}

LogicalResult ProfileParser::parseSeconds(Node *node,
                                          Measurement &measurement) {
  double seconds;
  if (failed(parseNumber(node, "seconds", seconds)))
    return failure();
  measurement.time = toPicoseconds(seconds * kPicosecondsPerSecond);
  return success();
}

LogicalResult ProfileParser::parseKey(StringRef key, Node *value,
                                      Measurement &measurement) {
  if (key == "op")
    return parseGlob(value, key, measurement.op);
  if (key == "name")
    return parseName(value, key, measurement.name);
  if (key == "operands")
    return parseSequence(value, key, [&](Node *item) {
      return parseOperand(item, measurement);
    });
  if (key == "seconds")
    return parseSeconds(value, measurement);
  if (key == "codegen")
    return parseWord(value, key, measurement.codegen);
  if (key == "device")
    return parseDevice(value, measurement.device);
  // For people to read.
  double seconds;
  return parseNumber(value, key, seconds);
}

LogicalResult ProfileParser::parseDevice(Node *value, DeviceAttr &device) {
  FailureOr<DeviceAttr> parsed = parseDeviceName(value);
  if (failed(parsed))
    return failure();
  device = *parsed;
  return success();
}

LogicalResult ProfileParser::parseMeasurement(Node *node) {
  Measurement measurement(getLoc(node));
  bool hasTime = false;
  auto parse = [&](StringRef key, Node *value) {
    hasTime |= key == "seconds";
    return parseKey(key, value, measurement);
  };
  if (failed(parseMapping(node, "a measurement",
                          {"op", "name", "operands", "device", "codegen",
                           "seconds", "predicted"},
                          parse)))
    return failure();
  StringRef missing = !measurement.op && !measurement.name ? "op or name"
                      : !measurement.device                ? "device"
                      : !hasTime                           ? "seconds"
                                                           : "";
  if (!missing.empty())
    return emitError(measurement.loc)
           << "expected " << missing << " in measurement "
           << contents.measurements.size() + 1
           << "; write {op: linalg.matmul, device: gpu, seconds: 1.5e-5}, for "
              "example";
  contents.measurements.push_back(std::move(measurement));
  return success();
}

/// A number of seconds, as picoseconds that need not be whole. `error` and
/// `measurements`, which say how good it is, are for people to read.
LogicalResult ProfileParser::parseRate(StringRef key, Node *value,
                                       double &picoseconds) {
  if (failed(parseNumber(value, key, picoseconds)))
    return failure();
  picoseconds *= kPicosecondsPerSecond;
  return success();
}

LogicalResult ProfileParser::parseRoofline(Node *node) {
  FittedRoofline roofline;
  llvm::StringSet<> present;
  auto parse = [&](StringRef key, Node *value) {
    present.insert(key);
    double ignored;
    if (key == "device")
      return parseDevice(value, roofline.device);
    if (key == "op")
      return parseGlob(value, key, roofline.op);
    return parseRate(key, value,
                     key == "launch" ? roofline.launch
                     : key == "flop" ? roofline.perFlop
                     : key == "byte" ? roofline.perByte
                                     : ignored);
  };
  if (failed(parseMapping(
          node, "a device",
          {"device", "op", "launch", "flop", "byte", "measurements", "error"},
          parse)))
    return failure();
  for (StringRef key : {"device", "launch", "flop", "byte"})
    if (!present.contains(key))
      return emitError(getLoc(node))
             << "expected " << key << " in device "
             << contents.rooflines.size() + 1
             << "; write {device: gpu, launch: 5e-6, flop: 1e-13, byte: "
                "2e-12}, for example";
  contents.rooflines.push_back(std::move(roofline));
  return success();
}

LogicalResult ProfileParser::parseLink(Node *node) {
  MeasuredLink link;
  double latency = -1, byte = -1, ignored;
  auto parse = [&](StringRef key, Node *value) {
    if (key == "from" || key == "to")
      return parseDevice(value, key == "from" ? link.from : link.to);
    return parseRate(key, value,
                     key == "latency" ? latency
                     : key == "byte"  ? byte
                                      : ignored);
  };
  if (failed(parseMapping(
          node, "a link",
          {"from", "to", "latency", "byte", "measurements", "error"}, parse)))
    return failure();
  StringRef missing = !link.from    ? "from"
                      : !link.to    ? "to"
                      : latency < 0 ? "latency"
                      : byte <= 0   ? "a positive byte"
                                    : "";
  if (!missing.empty())
    return emitError(getLoc(node))
           << "expected " << missing << " in link " << contents.links.size() + 1
           << "; write {from: cpu, to: gpu, latency: 1e-5, byte: 8e-11}, for "
              "example";
  link.latency = toPicoseconds(latency);
  // A link moves a byte a second at least, and no exabytes.
  link.bandwidth = static_cast<int64_t>(
      std::clamp(std::round(kPicosecondsPerSecond / byte), 1.0, 1e18));
  contents.links.push_back(link);
  return success();
}

FailureOr<Profile> ProfileParser::parse() {
  auto parseList = [&](Node *node) {
    return parseSequence(node, "operations",
                         [&](Node *item) { return parseMeasurement(item); });
  };
  auto parseKey = [&](StringRef key, Node *value) {
    if (key == "operations")
      return parseList(value);
    return parseSequence(value, key, [&](Node *item) {
      return key == "devices" ? parseRoofline(item) : parseLink(item);
    });
  };
  // A file that is only a list is a list of measurements.
  if (failed(parseDocument("a profile", [&](Node *root) {
        if (isa<llvm::yaml::SequenceNode>(root))
          return parseList(root);
        return parseMapping(root, "a profile",
                            {"operations", "devices", "links"}, parseKey);
      })))
    return failure();
  return Profile(std::move(contents));
}

FailureOr<Profile> mlir::hetero::parseProfile(StringRef text,
                                              StringRef fileName,
                                              MLIRContext *context) {
  return ProfileParser(text, fileName, context).parse();
}

LogicalResult mlir::hetero::loadProfileOption(StringRef option, Location loc,
                                              std::optional<Profile> &profile) {
  if (option.empty())
    return success();
  bool isText = option.contains('\n');
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      isText ? llvm::MemoryBuffer::getMemBuffer(option)
             : openInputFile(option, &message);
  if (!file)
    return emitError(loc) << "cannot read the profile: " << message;
  FailureOr<Profile> parsed = parseProfile(
      file->getBuffer(), isText ? "<profile>" : option, loc.getContext());
  if (failed(parsed))
    return failure();
  profile.emplace(std::move(*parsed));
  return success();
}
