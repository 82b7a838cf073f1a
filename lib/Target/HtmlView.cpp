//===- HtmlView.cpp - A placement as a web page ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page that needs no other file: its text, style and scripts are in Page/,
// and what it shows is the data in one of its elements.
//
//===----------------------------------------------------------------------===//

#include "hetero/Target/HtmlView.h"

#include "PageData.h"
#include "hetero/Analysis/Machine/Profile.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr llvm::StringLiteral kPage =
#include "hetero/Target/Page.inc"
    ;

/// The page up to its data, with a title.
static void printHead(StringRef head, StringRef title, llvm::raw_ostream &os) {
  for (bool isFirst = true; !head.empty(); isFirst = false) {
    if (!isFirst)
      llvm::printHTMLEscaped(title, os);
    auto [before, after] = head.split("@TITLE@");
    os << before;
    head = after;
  }
}

static LogicalResult printData(ModuleOp module, const PageContents &contents,
                               StringRef id, llvm::raw_ostream &os) {
  os << "<script type=\"application/json\" id=\"" << id << "\">";
  if (failed(printPageData(module, contents, os)))
    return failure();
  os << "</script>\n";
  return success();
}

LogicalResult mlir::hetero::printPlacementPage(ModuleOp module,
                                               const PageContents &contents,
                                               llvm::raw_ostream &os) {
  auto [head, tail] = kPage.split("@DATA@");
  printHead(head, contents.title, os);
  if (failed(printData(module, contents, "placement", os)))
    return failure();
  if (ModuleOp against = contents.against) {
    PageContents other;
    other.title = against.getName().value_or("The other").str();
    other.profile = contents.profile;
    if (failed(printData(against, other, "against", os)))
      return failure();
  }
  os << tail;
  return success();
}

LogicalResult mlir::hetero::printPlacementAsHtml(ModuleOp module,
                                                 const PageFiles &files,
                                                 llvm::raw_ostream &os) {
  PageContents contents;
  OwningOpRef<ModuleOp> other;
  if (!files.against.empty()) {
    other = parseSourceFile<ModuleOp>(files.against, module.getContext());
    if (!other)
      return failure();
    contents.against = *other;
  }
  std::optional<Profile> profile;
  if (failed(loadProfileOption(files.profile, module.getLoc(), profile)))
    return failure();
  contents.profile = profile ? &*profile : nullptr;
  if (std::optional<StringRef> name = module.getName())
    contents.title = name->str();
  return printPlacementPage(module, contents, os);
}
