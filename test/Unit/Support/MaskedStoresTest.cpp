//===- MaskedStoresTest.cpp - Tests of masked stores ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles masked stores and loads of all lengths, with conversions beside
// them, for this processor, and compares what they write with scalar code.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/MaskedStores.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;

namespace {
/// An instruction from elements of one type to those of another.
struct Conversion {
  const char *op, *from, *to;
};

constexpr Conversion kConversions[] = {
    {"trunc", "i64", "i32"},      {"trunc", "i64", "i16"},
    {"trunc", "i64", "i8"},       {"trunc", "i32", "i16"},
    {"trunc", "i32", "i8"},       {"trunc", "i16", "i8"},
    {"sext", "i8", "i64"},        {"sext", "i8", "i32"},
    {"zext", "i8", "i16"},        {"sext", "i16", "i32"},
    {"zext", "i16", "i64"},       {"sext", "i32", "i64"},
    {"fptosi", "double", "i8"},   {"fptosi", "double", "i32"},
    {"fptosi", "float", "i8"},    {"fptoui", "float", "i16"},
    {"fptosi", "float", "i64"},   {"fptrunc", "double", "float"},
    {"fptrunc", "float", "half"}, {"fpext", "half", "float"},
    {"fpext", "float", "double"}, {"sitofp", "i8", "float"},
    {"sitofp", "i64", "float"},   {"uitofp", "i16", "half"},
    {"bitcast", "i16", "half"},   {"bitcast", "float", "i32"},
};

unsigned bytesOf(StringRef type) {
  if (type == "double")
    return 8;
  if (type == "float")
    return 4;
  if (type == "half")
    return 2;
  return std::stoi(type.drop_front().str()) / 8;
}

std::string suffix(StringRef type) {
  return type == "double"  ? "f64"
         : type == "float" ? "f32"
         : type == "half"  ? "f16"
                           : type.str();
}

std::string mask(unsigned count, unsigned kept) {
  std::string text;
  for (unsigned lane = 0; lane < count; ++lane)
    text += (lane ? ", i1 " : "i1 ") + std::to_string(lane < kept);
  return "<" + text + ">";
}

/// A function that stores `kept` of `count` converted elements, and one that
/// loads only so many.
std::string accesses(const Conversion &c, unsigned count, unsigned kept,
                     StringRef name) {
  std::string from = formatv("<{0} x {1}>", count, c.from),
              to = formatv("<{0} x {1}>", count, c.to),
              keep = mask(count, kept);
  return formatv(R"(
declare void @llvm.masked.store.v{0}{1}.p0({2}, ptr, <{0} x i1>)
declare {3} @llvm.masked.load.v{0}{4}.p0(ptr, <{0} x i1>, {3})
define void @store{8}(ptr %in, ptr %out) {{
  %v = load {3}, ptr %in, align 1
  %t = {5} {3} %v to {2}
  call void @llvm.masked.store.v{0}{1}.p0({2} %t, ptr align 1 %out, <{0} x i1> {7})
  ret void
}
define void @load{8}(ptr %in, ptr %out) {{
  %v = call {3} @llvm.masked.load.v{0}{4}.p0(ptr align 1 %in, <{0} x i1> {7}, {3} zeroinitializer)
  %t = {5} {3} %v to {2}
  call void @llvm.masked.store.v{0}{1}.p0({2} %t, ptr align 1 %out, <{0} x i1> {7})
  ret void
}
)",
                 count, suffix(c.to), to, from, suffix(c.from), c.op, "", keep,
                 name);
}

/// A function that converts one element.
std::string scalar(const Conversion &c, StringRef name) {
  return formatv(R"(
define void @scalar{0}(ptr %in, ptr %out) {{
  %v = load {1}, ptr %in, align 1
  %t = {2} {1} %v to {3}
  store {3} %t, ptr %out, align 1
  ret void
}
)",
                 name, c.from, c.op, c.to);
}

/// Small numbers, which every type of elements has.
std::vector<char> makeElements(StringRef type, unsigned count) {
  std::vector<char> bytes;
  auto add = [&](auto value) {
    auto *begin = reinterpret_cast<char *>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
  };
  for (unsigned i = 0; i < count; ++i) {
    int64_t number = 3 + 5 * i % 97;
    if (type == "double")
      add(double(number));
    else if (type == "float")
      add(float(number));
    else if (type == "half")
      add(uint16_t(0x3C00 + 16 * i)); // From 1.0 on.
    else if (type == "i64")
      add(number | number << 40);
    else if (type == "i32")
      add(int32_t(number | number << 20));
    else if (type == "i16")
      add(int16_t(number | number << 9));
    else
      add(int8_t(number));
  }
  return bytes;
}

class MaskedStoresTest : public testing::Test {
protected:
  using Function = void (*)(const char *, char *);

  void SetUp() override {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  }

  /// Compiles for this processor.
  void compile(const std::string &text) {
    auto context = std::make_unique<LLVMContext>();
    SMDiagnostic error;
    std::unique_ptr<Module> module = parseAssemblyString(text, error, *context);
    ASSERT_TRUE(module) << error.getMessage().str();
    auto created = orc::LLJITBuilder().create();
    ASSERT_TRUE(bool(created)) << toString(created.takeError());
    jit = std::move(*created);
    module->setDataLayout(jit->getDataLayout());
    mlir::hetero::storeSingleLanesAlone(*module);
    cantFail(jit->addIRModule({std::move(module), std::move(context)}));
  }

  Function find(const std::string &name) {
    return cantFail(jit->lookup(name)).toPtr<Function>();
  }

  std::unique_ptr<orc::LLJIT> jit;
};

// Every length and tail writes the elements that its mask keeps, and nothing
// else.
TEST_F(MaskedStoresTest, TailsOfAllTypes) {
  std::string text;
  std::vector<std::pair<unsigned, unsigned>> tails;
  for (unsigned count : {1, 2, 4, 8, 16, 32})
    for (unsigned kept = 1; kept <= count; ++kept)
      if (kept < 10 || kept % 8 < 2)
        tails.push_back({count, kept});
  auto nameOf = [](const Conversion &c, unsigned count, unsigned kept) {
    return formatv("_{0}_{1}_{2}_{3}_{4}", c.op, c.from, c.to, count, kept)
        .str();
  };
  for (const Conversion &c : kConversions) {
    text += scalar(c, formatv("_{0}_{1}_{2}", c.op, c.from, c.to).str());
    for (auto [count, kept] : tails)
      text += accesses(c, count, kept, nameOf(c, count, kept));
  }
  // An intrinsic is declared once.
  std::string unique;
  std::set<std::string> declared;
  for (StringRef rest = text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    if (!line.starts_with("declare") || declared.insert(line.str()).second)
      unique += (line + "\n").str();
    rest = next;
  }
  ASSERT_NO_FATAL_FAILURE(compile(unique));
  for (const Conversion &c : kConversions) {
    std::vector<char> in = makeElements(c.from, 32);
    Function one =
        find(formatv("scalar_{0}_{1}_{2}", c.op, c.from, c.to).str());
    for (auto [count, kept] : tails) {
      std::vector<char> want(32 * 8 + 16, 0x55);
      for (unsigned lane = 0; lane < kept; ++lane)
        one(in.data() + lane * bytesOf(c.from),
            want.data() + lane * bytesOf(c.to));
      for (const char *kind : {"store", "load"}) {
        std::vector<char> got(want.size(), 0x55);
        find(kind + nameOf(c, count, kept))(in.data(), got.data());
        EXPECT_EQ(want, got) << kind << nameOf(c, count, kept);
      }
    }
  }
}
} // namespace
