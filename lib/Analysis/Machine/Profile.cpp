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
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

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

void Profile::reportIdle() const {
  for (auto [index, measurement] : llvm::enumerate(measurements))
    // What another code generator takes is not placement's to know.
    if (!used.test(index) && isBy(measurement, ""))
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

  std::vector<Measurement> measurements;
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
  constexpr double kPicosecondsPerSecond = 1e12, kMaxTime = 9.2e18;
  double seconds;
  if (failed(parseNumber(node, "seconds", seconds)))
    return failure();
  // INT64_MAX means that the device cannot run it.
  double time = std::ceil(seconds * kPicosecondsPerSecond);
  measurement.time =
      time > kMaxTime ? INT64_MAX - 1 : static_cast<int64_t>(time);
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
  FailureOr<DeviceAttr> device = parseDeviceName(value);
  if (failed(device))
    return failure();
  measurement.device = *device;
  return success();
}

LogicalResult ProfileParser::parseMeasurement(Node *node) {
  Measurement measurement(getLoc(node));
  bool hasTime = false;
  auto parse = [&](StringRef key, Node *value) {
    hasTime |= key == "seconds";
    return parseKey(key, value, measurement);
  };
  if (failed(parseMapping(
          node, "a measurement",
          {"op", "name", "operands", "device", "codegen", "seconds"}, parse)))
    return failure();
  StringRef missing = !measurement.op && !measurement.name ? "op or name"
                      : !measurement.device                ? "device"
                      : !hasTime                           ? "seconds"
                                                           : "";
  if (!missing.empty())
    return emitError(measurement.loc)
           << "expected " << missing << " in measurement "
           << measurements.size() + 1
           << "; write {op: linalg.matmul, device: gpu, seconds: 1.5e-5}, for "
              "example";
  measurements.push_back(std::move(measurement));
  return success();
}

FailureOr<Profile> ProfileParser::parse() {
  auto parseList = [&](Node *node) {
    return parseSequence(node, "operations",
                         [&](Node *item) { return parseMeasurement(item); });
  };
  // A file that is only a list is a list of measurements.
  if (failed(parseDocument("a profile", [&](Node *root) {
        if (isa<llvm::yaml::SequenceNode>(root))
          return parseList(root);
        return parseMapping(
            root, "a profile", {"operations"},
            [&](StringRef, Node *value) { return parseList(value); });
      })))
    return failure();
  return Profile(std::move(measurements));
}

FailureOr<Profile> mlir::hetero::parseProfile(StringRef text,
                                              StringRef fileName,
                                              MLIRContext *context) {
  return ProfileParser(text, fileName, context).parse();
}

LogicalResult mlir::hetero::loadProfileOption(StringRef fileName, Location loc,
                                              std::optional<Profile> &profile) {
  if (fileName.empty())
    return success();
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(fileName, &message);
  if (!file)
    return emitError(loc) << "cannot read the profile: " << message;
  FailureOr<Profile> parsed =
      parseProfile(file->getBuffer(), fileName, loc.getContext());
  if (failed(parsed))
    return failure();
  profile.emplace(std::move(*parsed));
  return success();
}
