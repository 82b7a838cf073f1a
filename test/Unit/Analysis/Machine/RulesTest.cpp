//===- RulesTest.cpp - Texts of rules and names that they match -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that span lines, which no command line of a lit test holds, damaged
// rules, and regular expressions against the library's own anchored match.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Rules.h"
#include "hetero/Analysis/Machine/LoadRules.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {

class RulesTest : public ::testing::Test {
protected:
  RulesTest() {
    context.loadDialect<HeteroDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      llvm::raw_string_ostream(messages)
          << diagnostic.getLocation() << ": " << diagnostic << "\n";
      return success();
    });
  }

  /// "N rules, default D", or the messages.
  std::string load(StringRef text) {
    messages.clear();
    FailureOr<RuleSet> rules = loadRules(text, UnknownLoc::get(&context));
    if (failed(rules))
      return messages;
    std::string result = std::to_string(rules->rules.size()) + " rules";
    if (rules->defaultDevice)
      result += ", default " + rules->defaultDevice.str();
    return result + messages;
  }

  MLIRContext context;
  std::string messages;
};

TEST_F(RulesTest, TakesEveryStyle) {
  const char *texts[] = {
      "rules:\n  - op: a\n    device: cpu\n  - {device: \"gpu:0\"}\n"
      "default: cpu\n",
      "\n  rules:\n    - {op: a, device: cpu}\n    - device: gpu:0\n"
      "  default: cpu\n",
      "{rules: [{op: a, device: cpu},\n {device: gpu:0}],\n default: cpu}",
      "rules: [{op: a, device: cpu},\n {device: gpu:0}],\n default: cpu",
      "rules: [{op: a, device: cpu}, {device: gpu:0}], default: cpu",
      "\"rules\":[{\"op\":\"a\",\"device\":\"cpu\"},{\"device\":\"gpu:0\"}],"
      "\"default\":\"cpu\"",
      "# rules\ndefault: cpu\nrules: [{op: a, device: cpu}, {device: gpu}]\n"};
  for (const char *text : texts)
    EXPECT_EQ(load(text), "2 rules, default cpu") << text;
  EXPECT_EQ(load("- device: cpu\n- {device: gpu}\n"), "2 rules");
  EXPECT_EQ(load("[{device: cpu}]"), "1 rules");
  EXPECT_EQ(load("default: cpu"), "0 rules, default cpu");
  EXPECT_EQ(load("rules:\n"),
            "loc(\"<rules>\":2:1): expected rules to be a list, got nothing; "
            "write [...] or lines that begin with '-'\n");
}

TEST_F(RulesTest, LocatesErrorsInLines) {
  EXPECT_EQ(load("rules:\n  - op: a\n    device: gpu:x\n"),
            "loc(\"<rules>\":3:13): expected a device like cpu or gpu:0, got "
            "'gpu:x'\n");
  EXPECT_EQ(load("rules:\n  - op: a\n    devise: gpu:0\n").substr(0, 45),
            "loc(\"<rules>\":3:5): unknown key 'devise' in a");
}

/// Whatever is cut off or exchanged, rules are read or refused with a place.
TEST_F(RulesTest, RefusesDamagedText) {
  const std::string text =
      "devices: [cpu, \"gpu:0\"]\nrules:\n  - {op: \"linalg.{a,b}\", nth: 0, "
      "name: 'x(a|b)*', dtype: f32,\n     min_flops: 1e6, device: gpu:0, "
      "unit: u}\n  - device: cpu\ndefault: auto\n";
  ASSERT_EQ(load(text), "2 rules");
  std::mt19937 random(7);
  const char alphabet[] = "{}[]:,'\"-#*&!|>%@\\ \n\tax0\x80";
  for (unsigned trial = 0; trial < 3000; ++trial) {
    std::string damaged = text;
    for (unsigned edit = 0; edit < 1 + trial % 3; ++edit)
      damaged[random() % text.size()] =
          alphabet[random() % (sizeof(alphabet) - 1)];
    if (trial % 4 == 0)
      damaged.resize(random() % text.size());
    std::string result = load(damaged);
    EXPECT_TRUE(result.find(" rules") != std::string::npos ||
                result.find("loc(") == 0)
        << damaged << "\n"
        << result;
  }
}

/// The prefix that patterns are told apart by never changes the answer.
TEST_F(RulesTest, MatchesWholeNames) {
  std::mt19937 random(11);
  const char *parts[] = {"a",  "b",    "ab", "a*",   "b?",     "b+",  "(a|b)",
                         ".*", "a{2}", ".",  "[ab]", "a{0,1}", "a|b", "\\."};
  unsigned matched = 0;
  for (unsigned trial = 0; trial < 4000; ++trial) {
    std::string text, name;
    for (unsigned i = 0; i < 1 + random() % 4; ++i)
      text += parts[random() % std::size(parts)];
    for (unsigned i = 0; i < random() % 5; ++i)
      name += "ab."[random() % 3];
    std::string error;
    std::optional<NamePattern> pattern = NamePattern::create(text, error);
    ASSERT_TRUE(pattern) << text << ": " << error;
    bool expected = llvm::Regex("^(" + text + ")$").match(name);
    EXPECT_EQ(pattern->matches(name), expected) << text << " on " << name;
    matched += expected;
  }
  EXPECT_GT(matched, 400u);
}

} // namespace
