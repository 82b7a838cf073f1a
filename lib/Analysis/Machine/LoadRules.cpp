//===- LoadRules.cpp - Finds the rules that an option names ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An option names a file of rules or holds the rules themselves. Pass pipelines
// strip the outer braces of `rules={rules: [...], default: cpu}`, so that they
// may be missing here.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/LoadRules.h"

#include "RulesParser.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace mlir;
using namespace mlir::hetero;

/// What messages call rules that are not in a file.
static constexpr StringLiteral kInlineName = "<rules>";

/// True for rules instead of the name of a file: YAML has a list, or a key.
static bool isInline(StringRef option) {
  StringRef trimmed = option.trim();
  return !trimmed.empty() && (StringRef("[{\"'").contains(trimmed.front()) ||
                              trimmed.contains(": ") ||
                              trimmed.contains('\n') || trimmed.ends_with(":"));
}

/// True if the text is YAML, whatever it says.
static bool isWellFormed(StringRef text) {
  llvm::SourceMgr sourceManager;
  sourceManager.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
  return llvm::yaml::Stream(text, sourceManager, /*ShowColors=*/false)
      .validate();
}

/// Puts back the braces of a mapping in flow style that a pass pipeline took.
/// Lines may also be a mapping in block style, which has none.
static std::string completeBraces(StringRef option) {
  StringRef trimmed = option.trim();
  std::string asGiven = option.str(), inBraces = ("{" + option + "}").str();
  if (trimmed.starts_with("[") || trimmed.starts_with("{"))
    return asGiven;
  if (!trimmed.contains('\n'))
    return isWellFormed(inBraces) || !isWellFormed(asGiven) ? inBraces
                                                            : asGiven;
  return isWellFormed(asGiven) || !isWellFormed(inBraces) ? asGiven : inBraces;
}

FailureOr<RuleSet> mlir::hetero::loadRules(StringRef option, Location loc) {
  MLIRContext *context = loc.getContext();
  if (isInline(option))
    return parseRules(completeBraces(option), kInlineName, context);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(option, &message);
  if (!file)
    return emitError(loc) << "cannot read the rules file: " << message;
  return parseRules(file->getBuffer(), option, context);
}
