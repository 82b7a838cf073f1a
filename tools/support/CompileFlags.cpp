//===- CompileFlags.cpp - Compile options as flags ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

/// Of a pipeline that somebody else runs: a tool has its own report, and runs
/// all of it.
static bool isLeftOut(llvm::StringRef name) {
  return name == "report" || name == "stop-after";
}

namespace {
/// Hands each word to the import's options, and reports what these refuse.
class ImportWordParser : public llvm::cl::parser<std::string> {
public:
  ImportWordParser(llvm::cl::Option &option) : parser(option) {}

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef word,
             std::string &result) {
    result = word.str();
    std::string error = options->add(option.ArgStr, word);
    return !error.empty() && option.error(error);
  }

  ONNXImportOptions *options = nullptr;
};
} // namespace

static std::unique_ptr<llvm::cl::Option>
makeImportFlag(const ONNXImportOptions::Flag &row, ONNXImportOptions &options) {
  auto flag =
      std::make_unique<llvm::cl::list<std::string, bool, ImportWordParser>>(
          row.name, llvm::cl::desc(row.help), llvm::cl::value_desc(row.form));
  flag->getParser().options = &options;
  return flag;
}

template <typename T, typename Parser>
void CompileFlags::add(mlir::detail::PassOptions::Option<T, Parser> &option) {
  if (isLeftOut(option.ArgStr))
    return;
  llvm::StringRef value =
      std::is_same_v<T, bool> ? llvm::StringRef() : option.ValueStr;
  auto flag = std::make_unique<llvm::cl::opt<T, false, Parser>>(
      option.ArgStr, llvm::cl::desc(option.HelpStr),
      llvm::cl::value_desc(value), llvm::cl::init(option.getValue()),
      llvm::cl::callback([&option](const T &value) { option = value; }));
  if constexpr (std::is_enum_v<T>)
    ChoicesOf<T>().apply(*flag);
  flags.push_back(std::move(flag));
}

CompileFlags::CompileFlags(CompileOptions &options) {
  options.visitAllOptions([&](auto &option) { add(option); });
  for (const ONNXImportOptions::Flag &flag : ONNXImportOptions::getFlags())
    flags.push_back(makeImportFlag(flag, options.onnx));
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
}

int mlir::hetero::reportError(llvm::StringRef tool,
                              const llvm::Twine &message) {
  // At once: several ranks may print to one terminal.
  llvm::errs().SetBuffered();
  llvm::WithColor::error(llvm::errs(), tool) << message << "\n";
  llvm::errs().SetUnbuffered();
  return 1;
}
