//===- RulesParser.cpp - Parses the rules file ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement.h"
#include "hetero/Analysis/Rules.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// How many patterns one with `{a,b}` may stand for.
static constexpr size_t kMaxAlternatives = 1024;

namespace {
/// Parses one file.
class RulesParser {
public:
  RulesParser(StringRef text, StringRef fileName, MLIRContext *context)
      : text(text), fileName(StringAttr::get(context, fileName)),
        context(context) {
    // Columns are counted without a byte order mark.
    this->text.consume_front("\xEF\xBB\xBF");
  }

  FailureOr<RuleSet> parse();

private:
  using Node = llvm::yaml::Node;
  using Handler = llvm::function_ref<LogicalResult(StringRef key, Node *value)>;

  InFlightDiagnostic error(const Node *node);
  /// For a node that the YAML parser could not make, and mostly reported.
  LogicalResult reportMissing(StringRef what);
  Location getLoc(const Node *node);
  /// Calls the handler for each key of a mapping, which must be one of `keys`.
  LogicalResult parseMapping(Node *node, StringRef what,
                             ArrayRef<StringRef> keys, Handler handler);
  LogicalResult parseSequence(Node *node, StringRef what,
                              llvm::function_ref<LogicalResult(Node *)> item);
  FailureOr<std::string> parseScalar(Node *node, StringRef what);
  FailureOr<DeviceAttr> parseDeviceName(Node *node);
  LogicalResult parseNumber(Node *node, StringRef what, double &result);
  LogicalResult parseWord(Node *node, StringRef what, std::string &result);
  LogicalResult parseGlob(Node *node, StringRef what,
                          std::optional<llvm::GlobPattern> &glob);
  LogicalResult parseName(Node *node, Rule &rule);
  LogicalResult parseType(Node *node, Rule &rule);
  LogicalResult parseNth(Node *node, Rule &rule);
  LogicalResult parseRuleKey(StringRef key, Node *value, Rule &rule,
                             std::string &unit, std::string &codegen);
  LogicalResult parseRule(Node *node);
  LogicalResult parseKey(StringRef key, Node *value);
  LogicalResult parseDefault(Node *node);
  LogicalResult parseListedDevice(Node *node);
  LogicalResult checkDevices();
  std::string listDevices();
  static void handleDiagnostic(const llvm::SMDiagnostic &diagnostic,
                               void *parser);

  StringRef text;
  StringAttr fileName;
  MLIRContext *context;
  RuleSet result;
  /// Whether the YAML scanner has found an error.
  bool isReported = false;
};
} // namespace

Location RulesParser::getLoc(const Node *node) {
  const char *pointer = node->getSourceRange().Start.getPointer();
  size_t offset = 0;
  if (pointer >= text.begin() && pointer <= text.end())
    offset = pointer - text.begin();
  // The ranges of lists and mappings begin behind their bracket.
  char bracket = isa<llvm::yaml::SequenceNode>(node)  ? '['
                 : isa<llvm::yaml::MappingNode>(node) ? '{'
                                                      : 0;
  if (offset > 0 && text[offset - 1] == bracket)
    --offset;
  StringRef before = text.take_front(offset);
  unsigned line = before.count('\n') + 1;
  size_t start = before.rfind('\n');
  unsigned column = offset - (start == StringRef::npos ? 0 : start + 1) + 1;
  return FileLineColLoc::get(fileName, line, column);
}

/// What a node is, for messages.
static StringRef describe(const llvm::yaml::Node *node) {
  switch (node->getType()) {
  case llvm::yaml::Node::NK_Null:
    return "nothing";
  case llvm::yaml::Node::NK_Sequence:
    return "a list";
  case llvm::yaml::Node::NK_Mapping:
    return "a mapping";
  case llvm::yaml::Node::NK_BlockScalar:
    return "a block of text";
  case llvm::yaml::Node::NK_Alias:
    return "an alias";
  default:
    return "a value";
  }
}

InFlightDiagnostic RulesParser::error(const Node *node) {
  return emitError(getLoc(node));
}

LogicalResult RulesParser::reportMissing(StringRef what) {
  if (isReported)
    return failure();
  return emitError(FileLineColLoc::get(fileName, 1, 1))
         << "invalid YAML: expected " << what << ", got nothing";
}

/// What the YAML scanner has to say.
void RulesParser::handleDiagnostic(const llvm::SMDiagnostic &diagnostic,
                                   void *opaque) {
  auto *parser = static_cast<RulesParser *>(opaque);
  parser->isReported = true;
  unsigned line = std::max(diagnostic.getLineNo(), 1);
  unsigned column = std::max(diagnostic.getColumnNo(), 0) + 1;
  std::string message = diagnostic.getMessage().str();
  if (!message.empty())
    message.front() = llvm::toLower(message.front());
  while (!message.empty() && (message.back() == '.' || message.back() == '!'))
    message.pop_back();
  emitError(FileLineColLoc::get(parser->fileName, line, column))
      << "invalid YAML: " << message;
}

LogicalResult RulesParser::parseMapping(Node *node, StringRef what,
                                        ArrayRef<StringRef> keys,
                                        Handler handler) {
  if (!node)
    return reportMissing(what);
  auto *mapping = dyn_cast<llvm::yaml::MappingNode>(node);
  if (!mapping)
    return error(node) << "expected " << what << " to be a mapping, got "
                       << describe(node) << "; the keys are "
                       << llvm::join(keys, ", ");
  llvm::StringSet<> seen;
  for (llvm::yaml::KeyValueNode &entry : *mapping) {
    Node *key = entry.getKey();
    FailureOr<std::string> name = parseScalar(key, "a key");
    if (failed(name))
      return failure();
    if (!llvm::is_contained(keys, *name))
      return error(key) << "unknown key '" << *name << "' in " << what
                        << "; the keys are " << llvm::join(keys, ", ");
    if (!seen.insert(*name).second)
      return error(key) << "key '" << *name << "' stands twice in " << what
                        << "; remove one of them";
    if (failed(handler(*name, entry.getValue())))
      return failure();
  }
  return success();
}

LogicalResult RulesParser::parseSequence(
    Node *node, StringRef what,
    llvm::function_ref<LogicalResult(Node *)> parseItem) {
  if (!node)
    return reportMissing(what);
  auto *sequence = dyn_cast<llvm::yaml::SequenceNode>(node);
  if (!sequence)
    return error(node) << "expected " << what << " to be a list, got "
                       << describe(node)
                       << "; write [...] or lines that begin with '-'";
  for (Node &item : *sequence)
    if (failed(parseItem(&item)))
      return failure();
  return success();
}

FailureOr<std::string> RulesParser::parseScalar(Node *node, StringRef what) {
  if (!node)
    return reportMissing(what);
  if (auto *scalar = dyn_cast<llvm::yaml::ScalarNode>(node)) {
    llvm::SmallString<32> storage;
    std::string value = scalar->getValue(storage).str();
    return isReported ? FailureOr<std::string>() : value;
  }
  return error(node) << "expected " << what << " to be a single value, got "
                     << describe(node);
}

FailureOr<DeviceAttr> RulesParser::parseDeviceName(Node *node) {
  FailureOr<std::string> name = parseScalar(node, "a device");
  if (failed(name))
    return failure();
  if (DeviceAttr device = parseDevice(*name, context))
    return device;
  return error(node) << "expected a device like cpu or gpu:0, got '" << *name
                     << "'";
}

LogicalResult RulesParser::parseNumber(Node *node, StringRef what,
                                       double &result) {
  FailureOr<std::string> value = parseScalar(node, what);
  if (failed(value))
    return failure();
  if (StringRef(*value).getAsDouble(result) || !std::isfinite(result) ||
      result < 0)
    return error(node) << "expected " << what
                       << " to be a number that is not negative, got '"
                       << *value << "'";
  return success();
}

LogicalResult RulesParser::parseGlob(Node *node, StringRef what,
                                     std::optional<llvm::GlobPattern> &glob) {
  FailureOr<std::string> pattern = parseScalar(node, what);
  if (failed(pattern))
    return failure();
  // The pattern refers to its text, which the context keeps.
  StringRef kept = StringAttr::get(context, *pattern).getValue();
  llvm::Expected<llvm::GlobPattern> parsed =
      llvm::GlobPattern::create(kept, kMaxAlternatives);
  if (!parsed)
    return error(node) << "expected " << what << " to be a pattern, got '"
                       << *pattern
                       << "': " << llvm::toString(parsed.takeError());
  glob = std::move(*parsed);
  return success();
}

LogicalResult RulesParser::parseName(Node *node, Rule &rule) {
  FailureOr<std::string> pattern = parseScalar(node, "name");
  if (failed(pattern))
    return failure();
  std::string why;
  rule.name = NamePattern::create(*pattern, why);
  if (!rule.name)
    return error(node) << "expected name to be a regular expression, got '"
                       << *pattern << "': " << why;
  return success();
}

LogicalResult RulesParser::parseType(Node *node, Rule &rule) {
  FailureOr<std::string> name = parseScalar(node, "dtype");
  if (failed(name))
    return failure();
  {
    // The parser's own message would speak of a line in the type's text.
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    rule.dtype = mlir::parseType(*name, context);
  }
  if (rule.dtype && TensorType::isValidElementType(rule.dtype))
    return success();
  return error(node) << "expected dtype to be an element type like f32, got '"
                     << *name << "'";
}

LogicalResult RulesParser::parseNth(Node *node, Rule &rule) {
  FailureOr<std::string> value = parseScalar(node, "nth");
  if (failed(value))
    return failure();
  int64_t number;
  if (StringRef(*value).getAsInteger(10, number) || number < 0)
    return error(node) << "expected nth to be a number from 0, got '" << *value
                       << "'";
  rule.nth = number;
  return success();
}

LogicalResult RulesParser::parseWord(Node *node, StringRef what,
                                     std::string &result) {
  FailureOr<std::string> value = parseScalar(node, what);
  if (failed(value))
    return failure();
  if (value->empty())
    return error(node) << "expected " << what
                       << " to be a name, got nothing; leave the key out";
  result = *value;
  return success();
}

/// One key of a rule; unit and codegen go into its device in the end.
LogicalResult RulesParser::parseRuleKey(StringRef key, Node *value, Rule &rule,
                                        std::string &unit,
                                        std::string &codegen) {
  if (key == "op")
    return parseGlob(value, key, rule.op);
  if (key == "function")
    return parseGlob(value, key, rule.function);
  if (key == "nth")
    return parseNth(value, rule);
  if (key == "name")
    return parseName(value, rule);
  if (key == "dtype")
    return parseType(value, rule);
  if (key == "min_flops")
    return parseNumber(value, key, rule.minFlops);
  if (key == "min_bytes")
    return parseNumber(value, key, rule.minBytes);
  if (key == "unit")
    return parseWord(value, key, unit);
  if (key == "codegen")
    return parseWord(value, key, codegen);
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
  if (failed(
          parseMapping(node, "a rule",
                       {"op", "nth", "name", "dtype", "min_flops", "min_bytes",
                        "function", "unit", "codegen", "device"},
                       parseKey)))
    return failure();
  if (!rule.device)
    return emitError(rule.loc)
           << "expected a device in rule " << result.rules.size() + 1
           << "; add device: \"gpu:0\", for example";
  rule.device = DeviceAttr::get(context, rule.device.getKind(),
                                rule.device.getOrdinal(), unit, codegen);
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
    if (failed(check(rule.device, rule.deviceLoc)))
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
  if (key == "rules")
    return parseSequence(value, key,
                         [&](Node *item) { return parseRule(item); });
  return parseSequence(value, key,
                       [&](Node *item) { return parseListedDevice(item); });
}

FailureOr<RuleSet> RulesParser::parse() {
  llvm::SourceMgr sourceManager;
  sourceManager.setDiagHandler(handleDiagnostic, this);
  llvm::yaml::Stream stream(text, sourceManager, /*ShowColors=*/false);
  llvm::yaml::document_iterator document = stream.begin();
  Node *root = document == stream.end() ? nullptr : document->getRoot();
  if (!root)
    return reportMissing("a rules file");
  // A file that is only a list is a list of rules.
  LogicalResult parsed =
      isa<llvm::yaml::SequenceNode>(root)
          ? parseKey("rules", root)
          : parseMapping(root, "a rules file", {"devices", "rules", "default"},
                         [&](StringRef key, Node *value) {
                           return parseKey(key, value);
                         });
  if (failed(parsed) || failed(checkDevices()))
    return failure();
  if (stream.failed())
    return reportMissing("its end");
  if (++document == stream.end())
    return std::move(result);
  Node *second = document->getRoot();
  if (!second)
    return reportMissing("a document");
  return error(second)
         << "expected one document, got another; remove the '---' between";
}

FailureOr<RuleSet> mlir::hetero::parseRules(StringRef text, StringRef fileName,
                                            MLIRContext *context) {
  return RulesParser(text, fileName, context).parse();
}
