//===- DeviceNotice.h - Says which devices placement considers --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_DEVICENOTICE_H
#define HETERO_LIB_COMPILER_DEVICENOTICE_H

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir {
namespace hetero {

/// Prints one line before operations are placed: the devices that the
/// cost decides between, and why they are those.
class DeviceNotice : public PassInstrumentation {
public:
  DeviceNotice(llvm::StringRef tool, llvm::raw_ostream &os)
      : tool(tool), os(os) {}

  void runBeforePass(Pass *pass, Operation *op) override;

private:
  std::string tool;
  llvm::raw_ostream &os;
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_LIB_COMPILER_DEVICENOTICE_H
