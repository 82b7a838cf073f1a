//===- hetero-translate.cpp - mlir-translate with this project ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/OptionNames.h"
#include "hetero/Import/ONNX/ImportONNX.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

/// True if an option may name a translation. Without one, the parser reports
/// that once for each that there is.
static bool namesTranslation(int argc, char **argv) {
  constexpr llvm::StringLiteral kOthers[] = {"o",
                                             "allow-unregistered-dialect",
                                             "error-diagnostics-only",
                                             "no-implicit-module",
                                             "output-split-marker",
                                             "split-input-file",
                                             "verify-diagnostics"};
  const auto &registered = llvm::cl::getRegisteredOptions();
  return llvm::any_of(
      llvm::ArrayRef(argv, argc).drop_front(), [&](llvm::StringRef word) {
        if (!word.starts_with("-"))
          return false;
        llvm::StringRef name = word.ltrim('-').split('=').first;
        return name == "h" || name.starts_with("help") || name == "version" ||
               (!llvm::is_contained(kOthers, name) && !registered.count(name));
      });
}

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  mlir::hetero::registerAllTranslations();
  if (!mlir::hetero::checkOptionNames(argc, argv))
    return 1;
  if (!namesTranslation(argc, argv)) {
    llvm::WithColor::error(llvm::errs(), "hetero-translate")
        << "no option names a translation; give one, such as "
           "--placement-to-dot (--help lists them)\n";
    return 1;
  }
  for (const char *word : llvm::ArrayRef(argv, argc).drop_front())
    if (*word != '-' && !mlir::hetero::isONNXFile(word) &&
        !mlir::hetero::checkNesting(argv[0], word))
      return 1;
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "hetero translator"));
}
