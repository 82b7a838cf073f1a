//===- CompileOptions.cpp - What a program is compiled with ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/CompileOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

CompileOptions::CompileOptions(StringRef processors)
    : defaultProcessors(processors) {
  this->processors = std::string();
}

static std::string assign(std::string &option, StringRef value) {
  option = value.str();
  return "";
}

static std::string assign(bool &option, StringRef value) {
  if (!value.empty() && value != "true" && value != "false")
    return "expected true or false";
  option = value != "false";
  return "";
}

static std::string assign(int64_t &option, StringRef value) {
  return value.getAsInteger(10, option) ? "expected an integer" : "";
}

static std::string assign(AssumedCount &option, StringRef value) {
  return AssumedCount::read(value, option);
}

template <typename T> static std::string assign(T &option, StringRef value) {
  return readChoice(value, option);
}

std::string CompileOptions::set(StringRef name, StringRef value) {
  for (const ONNXImportOptions::Flag &flag : ONNXImportOptions::getFlags())
    if (flag.name == name)
      return onnx.add(name, value);
  std::string error, names;
  bool isKnown = false;
  visitAllOptions([&](auto &option) {
    names += (names.empty() ? "" : ", ") + option.ArgStr.str();
    if (option.ArgStr != name)
      return;
    isKnown = true;
    error = assign(option.getValue(), value);
  });
  if (!isKnown)
    return "no option is named '" + name.str() + "'; expected one of " + names;
  return error.empty() ? ""
                       : error + " for the option '" + name.str() + "', got '" +
                             value.str() + "'";
}

void CompileOptions::copyFrom(const CompileOptions &other) {
  copyOptionValuesFrom(other);
  onnx = other.onnx;
}

std::vector<std::string> CompileOptions::getSharedLibraries() const {
  std::vector<std::string> files;
  for (StringRef file : llvm::split(sharedLibs.getValue(), ','))
    if (!file.empty())
      files.push_back(file.str());
  return files;
}
