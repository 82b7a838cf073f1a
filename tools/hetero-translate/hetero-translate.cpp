//===- hetero-translate.cpp - mlir-translate with this project ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/OptionNames.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  mlir::hetero::registerAllTranslations();
  if (!mlir::hetero::checkOptionNames(argc, argv))
    return 1;
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "hetero translator"));
}
