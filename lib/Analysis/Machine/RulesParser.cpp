//===- RulesParser.cpp - Parses the rules file ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesParser.h"

#include "YAMLReader.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Parses one file.
class RulesParser : public YAMLReader {
public:
  using YAMLReader::YAMLReader;

  FailureOr<RuleSet> parse();

private:
  /// A scalar that `read` understands, which says nothing for others.
  template <typename Result, typename Reader>
  LogicalResult parseAs(Node *node, StringRef key, StringRef expected,
                        Result &result, Reader read) {
    FailureOr<std::string> text = parseScalar(node, key);
    if (failed(text))
      return failure();
    result = read(StringRef(*text));
    if (result)
      return success();
    return error(node) << "expected " << key << " to be " << expected
                       << ", got '" << *text << "'";
  }
  LogicalResult parseType(Node *node, Type &dtype);
  LogicalResult parseCount(Node *node, StringRef key,
                           std::optional<int64_t> &result);
  LogicalResult parseShape(Node *node, std::optional<ShapePattern> &shape);
  LogicalResult parseTensorKey(StringRef key, Node *value,
                               TensorCondition &condition);
  LogicalResult parseTensor(Node *node, StringRef key,
                            std::optional<TensorCondition> &result);
  LogicalResult parseGroup(Node *node, Rule &rule);
  LogicalResult parsePlace(Node *node, Rule &rule);
  LogicalResult parsePermission(Node *node, StringRef key,
                                std::optional<bool> &result);
  LogicalResult parseConflict(Node *node, std::optional<ConflictMode> &result);
  LogicalResult parseMemory(Node *node, std::optional<MemoryScope> &result);
  LogicalResult parseCondition(StringRef key, Node *value, Rule &rule);
  LogicalResult parseRuleKey(StringRef key, Node *value, Rule &rule,
                             std::string &unit, std::string &codegen);
  LogicalResult parseRule(Node *node);
  LogicalResult parseKey(StringRef key, Node *value);
  LogicalResult parseDefault(Node *node);
  LogicalResult parseListedDevice(Node *node);
  LogicalResult checkDevices();
  std::string listDevices();

  RuleSet result;
};
} // namespace

LogicalResult RulesParser::parseType(Node *node, Type &dtype) {
  FailureOr<std::string> name = parseScalar(node, "dtype");
  if (failed(name))
    return failure();
  {
    // The parser's own message would speak of a line in the type's text.
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    dtype = mlir::parseType(*name, context);
  }
  if (dtype && TensorType::isValidElementType(dtype))
    return success();
  return error(node) << "expected dtype to be an element type like f32, got '"
                     << *name << "'";
}

LogicalResult RulesParser::parseCount(Node *node, StringRef key,
                                      std::optional<int64_t> &result) {
  auto read = [](StringRef text) {
    int64_t number;
    bool isCount = !text.getAsInteger(10, number) && number >= 0;
    return isCount ? std::optional(number) : std::nullopt;
  };
  return parseAs(node, key, "a number from 0", result, read);
}

LogicalResult RulesParser::parseShape(Node *node,
                                      std::optional<ShapePattern> &shape) {
  return parseAs(node, "shape",
                 "sizes like 1x3x?x*, with ? for a dynamic size, * for any, "
                 "and ... at one end for more of them",
                 shape, ShapePattern::create);
}

static constexpr StringRef kTensorKeys[] = {
    "dtype", "shape", "rank", "min_elements", "max_elements", "index"};

LogicalResult RulesParser::parseTensorKey(StringRef key, Node *value,
                                          TensorCondition &condition) {
  if (key == "dtype")
    return parseType(value, condition.dtype);
  if (key == "shape")
    return parseShape(value, condition.shape);
  if (key == "rank")
    return parseCount(value, key, condition.rank);
  if (key == "min_elements")
    return parseNumber(value, key, condition.minElements);
  if (key == "max_elements")
    return parseNumber(value, key, condition.maxElements);
  return parseCount(value, key, condition.index);
}

/// `{index: 1, rank: 2}`.
LogicalResult RulesParser::parseTensor(Node *node, StringRef key,
                                       std::optional<TensorCondition> &result) {
  result.emplace();
  return parseMapping(node, key, kTensorKeys, [&](StringRef key, Node *value) {
    return parseTensorKey(key, value, *result);
  });
}

LogicalResult RulesParser::parseGroup(Node *node, Rule &rule) {
  FailureOr<std::string> name = parseScalar(node, "group");
  if (failed(name))
    return failure();
  rule.group = lookupGroup(*name);
  if (rule.group)
    return success();
  return error(node) << "unknown group '" << *name << "'; the groups are "
                     << llvm::join(getGroupNames(), ", ");
}

LogicalResult RulesParser::parsePlace(Node *node, Rule &rule) {
  return parseAs(node, "at", "a place like model.mlir:12 or model.mlir:12:9",
                 rule.at, SourcePlace::create);
}

LogicalResult RulesParser::parsePermission(Node *node, StringRef key,
                                           std::optional<bool> &result) {
  auto read = [](StringRef text) {
    return llvm::StringSwitch<std::optional<bool>>(text)
        .Case("true", true)
        .Case("false", false)
        .Default(std::nullopt);
  };
  return parseAs(node, key, "true or false", result, read);
}

LogicalResult RulesParser::parseConflict(Node *node,
                                         std::optional<ConflictMode> &result) {
  return parseAs(node, "conflict", "copy, replicate, warn or error", result,
                 [](StringRef text) { return symbolizeConflictMode(text); });
}

LogicalResult RulesParser::parseMemory(Node *node,
                                       std::optional<MemoryScope> &result) {
  return parseAs(node, "memory", "device or unified", result,
                 [](StringRef text) { return symbolizeMemoryScope(text); });
}

/// A key that says which operations are meant.
LogicalResult RulesParser::parseCondition(StringRef key, Node *value,
                                          Rule &rule) {
  if (key == "op")
    return parseGlob(value, key, rule.op);
  if (key == "function")
    return parseGlob(value, key, rule.function);
  if (key == "region")
    return parseGlob(value, key, rule.region);
  if (key == "nth")
    return parseCount(value, key, rule.nth);
  if (key == "name")
    return parseName(value, key, rule.name);
  if (key == "source")
    return parseName(value, key, rule.source);
  if (key == "at")
    return parsePlace(value, rule);
  if (key == "group")
    return parseGroup(value, rule);
  if (key == "operand")
    return parseTensor(value, key, rule.operand);
  if (key == "result")
    return parseTensor(value, key, rule.result);
  if (key == "min_flops")
    return parseNumber(value, key, rule.minFlops);
  if (key == "min_bytes")
    return parseNumber(value, key, rule.minBytes);
  if (!rule.tensor)
    rule.tensor.emplace();
  return parseTensorKey(key, value, *rule.tensor);
}

/// One key of a rule; unit and codegen go into its device in the end.
LogicalResult RulesParser::parseRuleKey(StringRef key, Node *value, Rule &rule,
                                        std::string &unit,
                                        std::string &codegen) {
  if (key == "unit")
    return parseWord(value, key, unit);
  if (key == "codegen")
    return parseWord(value, key, codegen);
  if (key == "allow_tf32")
    return parsePermission(value, key, rule.allowsTF32);
  if (key == "conflict")
    return parseConflict(value, rule.conflict);
  if (key == "memory")
    return parseMemory(value, rule.memory);
  if (key != "device")
    return parseCondition(key, value, rule);
  FailureOr<DeviceAttr> device = parseDeviceName(value);
  if (failed(device))
    return failure();
  rule.device = *device;
  rule.deviceLoc = getLoc(value);
  return success();
}

LogicalResult RulesParser::parseRule(Node *node) {
  Rule rule(getLoc(node));
  std::string unit, codegen;
  auto parseKey = [&](StringRef key, Node *value) {
    return parseRuleKey(key, value, rule, unit, codegen);
  };
  if (failed(parseMapping(
          node, "a rule",
          {"op",           "nth",     "name",   "source",    "at",
           "group",        "dtype",   "shape",  "rank",      "min_elements",
           "max_elements", "operand", "result", "min_flops", "min_bytes",
           "function",     "region",  "unit",   "codegen",   "allow_tf32",
           "conflict",     "memory",  "device"},
          parseKey)))
    return failure();
  bool isSetting = (rule.conflict || rule.allowsTF32 || rule.memory) &&
                   unit.empty() && codegen.empty();
  if (!rule.device && !isSetting)
    return emitError(rule.loc)
           << "expected a device in rule " << result.rules.size() + 1
           << "; add device: \"gpu:0\", for example";
  if (rule.device)
    rule.device = rule.device.with(unit, codegen);
  result.rules.push_back(std::move(rule));
  return success();
}

LogicalResult RulesParser::parseDefault(Node *node) {
  FailureOr<std::string> name = parseScalar(node, "default");
  if (failed(name))
    return failure();
  if (*name == "auto")
    return success();
  FailureOr<DeviceAttr> device = parseDeviceName(node);
  if (failed(device))
    return failure();
  result.defaultDevice = *device;
  result.defaultLoc = getLoc(node);
  return success();
}

/// Where the file lists devices, its rules name no others.
LogicalResult RulesParser::checkDevices() {
  if (result.devices.empty())
    return success();
  auto isListed = [&](DeviceAttr device) {
    return llvm::any_of(result.devices, [&](const auto &known) {
      return bool(known.first.meet(device.getBare()));
    });
  };
  auto check = [&](DeviceAttr device, Location loc) -> LogicalResult {
    if (isListed(device))
      return success();
    return emitError(loc) << "device " << device.getBare().str()
                          << " is not among the file's devices ("
                          << listDevices() << "); add it there";
  };
  for (const Rule &rule : result.rules)
    if (rule.device && failed(check(rule.device, rule.deviceLoc)))
      return failure();
  if (result.defaultDevice)
    return check(result.defaultDevice, *result.defaultLoc);
  return success();
}

std::string RulesParser::listDevices() {
  return llvm::join(
      llvm::map_range(result.devices,
                      [](const auto &known) { return known.first.str(); }),
      ", ");
}

/// One of the file's devices.
LogicalResult RulesParser::parseListedDevice(Node *node) {
  FailureOr<DeviceAttr> device = parseDeviceName(node);
  if (failed(device))
    return failure();
  for (const auto &known : result.devices)
    if (known.first == *device)
      return error(node) << "device " << device->str()
                         << " stands twice in devices; remove one of them";
  result.devices.emplace_back(*device, getLoc(node));
  return success();
}

/// One key of the file.
LogicalResult RulesParser::parseKey(StringRef key, Node *value) {
  if (key == "default")
    return parseDefault(value);
  if (key == "conflict")
    return parseConflict(value, result.conflict);
  if (key == "rules")
    return parseSequence(value, key,
                         [&](Node *item) { return parseRule(item); });
  return parseSequence(value, key,
                       [&](Node *item) { return parseListedDevice(item); });
}

FailureOr<RuleSet> RulesParser::parse() {
  // A file that is only a list is a list of rules.
  LogicalResult parsed = parseDocument("a rules file", [&](Node *root) {
    if (isa<llvm::yaml::SequenceNode>(root))
      return parseKey("rules", root);
    return parseMapping(
        root, "a rules file", {"devices", "rules", "default", "conflict"},
        [&](StringRef key, Node *value) { return parseKey(key, value); });
  });
  if (failed(parsed) || failed(checkDevices()))
    return failure();
  return std::move(result);
}

FailureOr<RuleSet> mlir::hetero::parseRules(StringRef text, StringRef fileName,
                                            MLIRContext *context) {
  return RulesParser(text, fileName, context).parse();
}
