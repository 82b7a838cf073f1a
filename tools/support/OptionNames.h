//===- OptionNames.h - Refuses misspelt options -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_SUPPORT_OPTIONNAMES_H
#define HETERO_TOOLS_SUPPORT_OPTIONNAMES_H

namespace mlir {
namespace hetero {

/// LLVM's command line parser takes every unknown option that begins with `h`
/// for a request for help: it prints the help and exits with 0, so a misspelt
/// `--hetero-...` pass would pass for success. Call this once the options are
/// registered and before they are parsed. Returns false after printing an error
/// that names the option and the nearest one that exists.
bool checkOptionNames(int argc, char **argv);

/// The same for options whose value is left out after '=', which the parser
/// takes for 0 or for what they are by default.
bool checkOptionValues(int argc, char **argv);

/// Looks into a file that is going to be parsed for what is nested too deep.
/// Returns false after printing an error; a file that cannot be read is others'
/// matter.
bool checkNesting(const char *tool, const char *path);

/// Takes the options that LLVM's libraries have registered so far, hundreds for
/// other targets, out of --help; --help-hidden still lists them. Call it before
/// a tool makes its own.
void hideLibraryOptions();

} // namespace hetero
} // namespace mlir

#endif // HETERO_TOOLS_SUPPORT_OPTIONNAMES_H
