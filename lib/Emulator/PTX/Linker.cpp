//===- Linker.cpp - Makes one PTX module of several -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Linker.h"

#include "Emulator/PTX/Lexer.h"
#include "Emulator/PTX/Parser.h"

#include <map>
#include <set>
#include <string_view>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

namespace {
/// A directive of a module, a variable or a function.
struct Item {
  enum Linkage { Own, Visible, Weak, Extern };

  std::vector<Token> tokens;
  bool isHeader = false;     ///< Version, target, size of addresses.
  bool isLineNumber = false; ///< Which nothing needs.
  bool isFunction = false, hasBody = false;
  Linkage linkage = Own;
  std::string_view name;

  bool isDefinition() const {
    return linkage != Extern && (!isFunction || hasBody);
  }
};

/// Splits a text that is a module.
class Splitter {
public:
  explicit Splitter(std::string_view text) : lexer(text) {}

  std::vector<Item> split() {
    std::vector<Item> items;
    for (take(); token.kind != TokenKind::End;)
      items.push_back(takeItem());
    return items;
  }

private:
  void take() { token = lexer.next(); }
  bool is(const char *text) const {
    return token.kind == TokenKind::Punctuation && token.text == text;
  }
  Item takeItem();
  void takeLine(Item &item);
  void note(Item &item, unsigned depth);

  Lexer lexer;
  Token token;
};
} // namespace

/// Up to the end of the line.
void Splitter::takeLine(Item &item) {
  item.isHeader = true;
  item.isLineNumber = token.text == "file" || token.text == "loc";
  for (unsigned line = token.line;
       token.kind != TokenKind::End && token.line == line; take())
    item.tokens.push_back(token);
}

/// What a token outside of bodies says of the item.
void Splitter::note(Item &item, unsigned depth) {
  if (token.kind == TokenKind::Dot && depth == 0) {
    if (token.text == "extern")
      item.linkage = Item::Extern;
    else if (token.text == "visible")
      item.linkage = Item::Visible;
    else if (token.text == "weak" || token.text == "common")
      item.linkage = Item::Weak;
    else if (token.text == "func" || token.text == "entry")
      item.isFunction = true;
  }
  if (token.kind == TokenKind::Identifier && depth == 0 && item.name.empty())
    item.name = token.text;
}

Item Splitter::takeItem() {
  static const std::set<std::string_view> headers = {
      "version", "target", "address_size", "file", "loc"};
  Item item;
  if (token.kind == TokenKind::Dot && headers.count(token.text)) {
    takeLine(item);
    return item;
  }
  bool isSection = token.text == "section", isBody = false;
  for (unsigned depth = 0; token.kind != TokenKind::End; take()) {
    note(item, depth);
    bool opens = is("{"), closes = is("}");
    isBody |= opens && depth == 0 && (item.isFunction || isSection);
    depth += opens || is("(") || is("[");
    depth -= (closes || is(")") || is("]")) && depth > 0;
    item.tokens.push_back(token);
    if (depth == 0 && (closes ? isBody : is(";"))) {
      take();
      break;
    }
  }
  item.hasBody = isBody;
  return item;
}

std::string hetero::emulator::checkImage(const std::string &image) {
  try {
    parseModule(image);
    return "";
  } catch (const PTXError &error) {
    return "line " + std::to_string(error.line) + ": " + error.message;
  }
}

/// The first byte of a token, with the dot.
static const char *beginOf(const Token &token) {
  return token.text.data() - (token.kind == TokenKind::Dot ? 1 : 0);
}

/// The text of an item, with other names for some.
static std::string print(const Item &item,
                         const std::map<std::string_view, std::string> &names) {
  std::string text;
  const char *last = beginOf(item.tokens.front());
  for (const Token &token : item.tokens) {
    const char *begin = beginOf(token), *end = token.text.end();
    text.append(last, begin - last);
    auto it = token.kind == TokenKind::Identifier ? names.find(token.text)
                                                  : names.end();
    if (it != names.end())
      text += it->second;
    else
      text.append(begin, end - begin);
    last = end;
  }
  return text + "\n";
}

std::string
hetero::emulator::linkImages(const std::vector<std::string> &images) {
  std::vector<std::vector<Item>> modules;
  std::map<std::string_view, unsigned> numModules;
  std::set<std::string_view> defined, taken;
  for (const std::string &image : images) {
    modules.push_back(Splitter(image).split());
    std::set<std::string_view> names;
    for (const Item &item : modules.back()) {
      names.insert(item.name);
      if (item.linkage != Item::Own && item.isDefinition())
        defined.insert(item.name);
    }
    for (std::string_view name : names)
      ++numModules[name];
  }
  std::string text;
  for (size_t i = 0; i < modules.size(); ++i) {
    std::map<std::string_view, std::string> renamed;
    for (const Item &item : modules[i])
      if (item.linkage == Item::Own && numModules[item.name] > 1 &&
          !item.name.empty())
        renamed[item.name] =
            std::string(item.name) + "$module" + std::to_string(i);
    for (const Item &item : modules[i]) {
      bool isElsewhere =
          item.linkage == Item::Extern && defined.count(item.name);
      bool isRepeated = item.linkage == Item::Weak && item.isDefinition() &&
                        !taken.insert(item.name).second;
      bool isLeftOut = item.isLineNumber || (item.isHeader && i > 0);
      if (!isLeftOut && !isElsewhere && !isRepeated)
        text += print(item, renamed);
    }
  }
  return text;
}
