//===- HtmlView.h - Placements as web pages ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_HTMLVIEW_H
#define HETERO_TARGET_HTMLVIEW_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

#include <map>

namespace mlir::hetero {
class Profile;

/// An operation as later phases still know it.
struct PageOperation {
  Location loc;
  std::string op;
};

/// What the compiler said.
struct PageMessage {
  Location loc;
  DiagnosticSeverity severity;
  std::string text;
};

/// When something ran.
struct PageEvent {
  /// Position among the lanes.
  unsigned lane;
  /// Nanoseconds.
  int64_t start, length;
  std::string name;
  /// Of a copy; else -1.
  int64_t bytes = -1;
  /// The operation, or the one that takes the longest of several.
  std::optional<PageOperation> operation = {};
};

/// Bytes that a device has from a moment on, in nanoseconds.
struct PageLevel {
  int64_t time, bytes;
};

/// A run of the program.
struct PageTimeline {
  /// "gpu:0, stream 0"
  std::vector<std::string> lanes;
  std::vector<PageEvent> events;
  /// By the name of the device.
  std::map<std::string, std::vector<PageLevel>> memory;
  /// Picoseconds per call that operations took.
  std::vector<std::pair<PageOperation, int64_t>> measured;
};

/// What a page has besides the placement of a module.
struct PageContents {
  std::string title = "Placement";
  Profile *profile = nullptr;
  std::vector<PageMessage> messages;
  /// The operations as rules see them, before others were made of them; empty
  /// where that is not known.
  std::vector<PageOperation> annotated;
  std::optional<PageTimeline> timeline;
  /// Another placed module to compare with, or null.
  ModuleOp against = {};
};

/// Prints a web page that needs no other file. An error if the module is not
/// one after hetero-place.
LogicalResult printPlacementPage(ModuleOp module, const PageContents &contents,
                                 llvm::raw_ostream &os);
/// Files that a page is made with; empty for none.
struct PageFiles {
  /// Another placed module to compare with.
  std::string against;
  /// The profile that the module was placed with.
  std::string profile;
};

/// Prints the page of a module and what is in files.
LogicalResult printPlacementAsHtml(ModuleOp module, const PageFiles &files,
                                   llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_HTMLVIEW_H
