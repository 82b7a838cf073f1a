//===- YAMLReader.cpp - Reads YAML files of users -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "YAMLReader.h"

#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// How many patterns one with `{a,b}` may stand for.
static constexpr size_t kMaxAlternatives = 1024;

YAMLReader::YAMLReader(StringRef text, StringRef fileName, MLIRContext *context)
    : text(text), fileName(StringAttr::get(context, fileName)),
      context(context) {
  // Columns are counted without a byte order mark.
  this->text.consume_front("\xEF\xBB\xBF");
}

Location YAMLReader::getLoc(const Node *node) {
  const char *pointer = node->getSourceRange().Start.getPointer();
  size_t offset = 0;
  if (pointer >= text.begin() && pointer <= text.end())
    offset = pointer - text.begin();
  // The ranges of lists and mappings begin after their bracket.
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

/// What follows from what is no YAML is not worth another error.
InFlightDiagnostic YAMLReader::error(const Node *node) {
  if (isReported)
    return InFlightDiagnostic();
  return emitError(getLoc(node));
}

LogicalResult YAMLReader::reportMissing(StringRef what) {
  if (isReported)
    return failure();
  return emitError(FileLineColLoc::get(fileName, 1, 1))
         << "invalid YAML: expected " << what << ", got nothing";
}

/// What the YAML scanner has to say.
void YAMLReader::handleDiagnostic(const llvm::SMDiagnostic &diagnostic,
                                  void *opaque) {
  auto *reader = static_cast<YAMLReader *>(opaque);
  reader->isReported = true;
  unsigned line = std::max(diagnostic.getLineNo(), 1);
  unsigned column = std::max(diagnostic.getColumnNo(), 0) + 1;
  std::string message = diagnostic.getMessage().str();
  if (!message.empty())
    message.front() = llvm::toLower(message.front());
  while (!message.empty() && (message.back() == '.' || message.back() == '!'))
    message.pop_back();
  emitError(FileLineColLoc::get(reader->fileName, line, column))
      << "invalid YAML: " << message;
}

LogicalResult YAMLReader::parseMapping(Node *node, StringRef what,
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
  // What is no YAML ends a mapping early.
  return failure(isReported);
}

LogicalResult
YAMLReader::parseSequence(Node *node, StringRef what,
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
  return failure(isReported);
}

FailureOr<std::string> YAMLReader::parseScalar(Node *node, StringRef what) {
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

FailureOr<DeviceAttr> YAMLReader::parseDeviceName(Node *node) {
  FailureOr<std::string> name = parseScalar(node, "a device");
  if (failed(name))
    return failure();
  if (DeviceAttr device = parseDevice(*name, context))
    return device;
  return error(node) << "expected a device like cpu or gpu:0, got '" << *name
                     << "'";
}

LogicalResult YAMLReader::parseNumber(Node *node, StringRef what,
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

LogicalResult YAMLReader::parseGlob(Node *node, StringRef what,
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

LogicalResult YAMLReader::parseName(Node *node, StringRef what,
                                    std::optional<NamePattern> &name) {
  FailureOr<std::string> pattern = parseScalar(node, what);
  if (failed(pattern))
    return failure();
  std::string why;
  name = NamePattern::create(*pattern, why);
  if (!name)
    return error(node) << "expected " << what
                       << " to be a regular expression, got '" << *pattern
                       << "': " << why;
  return success();
}

LogicalResult YAMLReader::parseWord(Node *node, StringRef what,
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

LogicalResult
YAMLReader::parseDocument(StringRef what,
                          llvm::function_ref<LogicalResult(Node *)> parseRoot) {
  llvm::SourceMgr sourceManager;
  sourceManager.setDiagHandler(handleDiagnostic, this);
  llvm::yaml::Stream stream(text, sourceManager, /*ShowColors=*/false);
  llvm::yaml::document_iterator document = stream.begin();
  Node *root = document == stream.end() ? nullptr : document->getRoot();
  if (!root)
    return reportMissing(what);
  if (failed(parseRoot(root)))
    return failure();
  if (stream.failed())
    return reportMissing("its end");
  if (++document == stream.end())
    return success();
  Node *second = document->getRoot();
  if (!second)
    return reportMissing("a document");
  return error(second)
         << "expected one document, got another; remove the '---' between";
}
