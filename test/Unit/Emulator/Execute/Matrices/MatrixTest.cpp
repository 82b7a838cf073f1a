//===- MatrixTest.cpp - Matrices that a warp holds ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each lane has which element is written down shape by shape, as the PTX
// ISA lists it, and not by the rule that the emulator uses.
//
//===----------------------------------------------------------------------===//

#include "../../PTXLaunchHarness.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <functional>
#include <random>

using namespace hetero;

namespace {
using Place = std::function<int(int inGroup, int i)>;

/// One form of mma.sync. `rowOfA` takes the group, the others the thread in it.
struct Form {
  const char *shape, *typeOfD, *typeOfA, *typeOfB;
  int rows, depth;
  int perRegister, registersOfA, registersOfB;
  Place rowOfA, columnOfA, rowOfB;
  const char *modifier = "";
};

int lower(bool isUpper, int group) { return isUpper ? group + 8 : group; }

const Place kHalvesRow16 = [](int g, int i) {
  return lower(!(i < 2 || (i >= 4 && i < 6)), g);
};
const Place kHalvesColumn16 = [](int t, int i) {
  return t * 2 + (i & 1) + (i >= 4 ? 8 : 0);
};
const Place kHalvesRowOfB16 = [](int t, int i) {
  return t * 2 + (i & 1) + (i >= 2 ? 8 : 0);
};
const Place kHalvesRow8 = [](int g, int i) { return lower(i >= 2, g); };
const Place kHalvesColumn8 = [](int t, int i) { return t * 2 + (i & 1); };
const Place kWordsRow = [](int g, int i) { return lower(i % 2 == 1, g); };
const Place kWordsColumn8 = [](int t, int i) { return i < 2 ? t : t + 4; };
const Place kWordsRowOfB = [](int t, int i) { return t + 4 * i; };
const Place kThread = [](int t, int) { return t; };
const Place kDoublesColumn16 = [](int t, int i) {
  return i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t;
};
const Place kBytesRow32 = [](int g, int i) {
  return lower(!(i < 4 || (i >= 8 && i < 12)), g);
};
const Place kBytesColumn32 = [](int t, int i) {
  return t * 4 + (i & 3) + (i >= 8 ? 16 : 0);
};
const Place kBytesRowOfB32 = [](int t, int i) {
  return t * 4 + (i & 3) + (i >= 4 ? 16 : 0);
};
const Place kBytesRow16 = [](int g, int i) { return lower(i >= 4, g); };
const Place kBytesColumn16 = [](int t, int i) { return t * 4 + (i & 3); };

/// Elements of less than a byte: a register has `count` neighbours, and those
/// after the first two of A, or the first of B, lie in the other half.
Place smallRow(int count) {
  return [=](int g, int i) { return lower(i / count % 2 == 1, g); };
}
Place smallColumn(int count, int inFirst) {
  return [=](int t, int i) {
    return t * count + i % count + (i >= inFirst * count ? 4 * count : 0);
  };
}

void addSmallForms(std::vector<Form> &forms, const char *a, const char *b,
                   int count, const char *const (&shapes)[3],
                   const char *modifier) {
  Place column = smallColumn(count, 2), rowOfB = smallColumn(count, 1);
  forms.push_back({shapes[0], "s32", a, b, 8, 4 * count, count, 1, 1, kThread,
                   column, rowOfB, modifier});
  forms.push_back({shapes[1], "s32", a, b, 16, 4 * count, count, 2, 1,
                   smallRow(count), column, rowOfB, modifier});
  forms.push_back({shapes[2], "s32", a, b, 16, 8 * count, count, 4, 2,
                   smallRow(count), column, rowOfB, modifier});
}

std::vector<Form> allForms() {
  std::vector<Form> forms;
  for (const char *type : {"f16", "bf16"}) {
    forms.push_back({"m16n8k16", "f32", type, type, 16, 16, 2, 4, 2,
                     kHalvesRow16, kHalvesColumn16, kHalvesRowOfB16});
    forms.push_back({"m16n8k8", "f32", type, type, 16, 8, 2, 2, 1, kHalvesRow8,
                     kHalvesColumn8, kHalvesColumn8});
  }
  forms.push_back({"m16n8k16", "f16", "f16", "f16", 16, 16, 2, 4, 2,
                   kHalvesRow16, kHalvesColumn16, kHalvesRowOfB16});
  forms.push_back({"m16n8k8", "f16", "f16", "f16", 16, 8, 2, 2, 1, kHalvesRow8,
                   kHalvesColumn8, kHalvesColumn8});
  forms.push_back({"m16n8k8", "f32", "tf32", "tf32", 16, 8, 1, 4, 2, kWordsRow,
                   kWordsColumn8, kWordsRowOfB});
  forms.push_back({"m16n8k4", "f32", "tf32", "tf32", 16, 4, 1, 2, 1, kWordsRow,
                   kThread, kThread});
  forms.push_back({"m8n8k4", "f64", "f64", "f64", 8, 4, 1, 1, 1, kThread,
                   kThread, kThread});
  forms.push_back({"m16n8k16", "f64", "f64", "f64", 16, 16, 1, 8, 4, kWordsRow,
                   kDoublesColumn16, kWordsRowOfB});
  for (const char *a : {"s8", "u8"})
    for (const char *b : {"s8", "u8"}) {
      forms.push_back({"m16n8k32", "s32", a, b, 16, 32, 4, 4, 2, kBytesRow32,
                       kBytesColumn32, kBytesRowOfB32});
      forms.push_back({"m16n8k16", "s32", a, b, 16, 16, 4, 2, 1, kBytesRow16,
                       kBytesColumn16, kBytesColumn16, ".satfinite"});
      forms.push_back({"m8n8k16", "s32", a, b, 8, 16, 4, 1, 1, kThread,
                       kBytesColumn16, kBytesColumn16});
    }
  for (const char *a : {"e4m3", "e5m2"})
    for (const char *b : {"e4m3", "e5m2"})
      for (const char *d : {"f16", "f32"}) {
        forms.push_back({"m16n8k32", d, a, b, 16, 32, 4, 4, 2, kBytesRow32,
                         kBytesColumn32, kBytesRowOfB32});
        forms.push_back({"m16n8k16", d, a, b, 16, 16, 4, 2, 1, kBytesRow16,
                         kBytesColumn16, kBytesColumn16});
      }
  for (const char *a : {"s4", "u4"})
    for (const char *b : {"s4", "u4"})
      addSmallForms(forms, a, b, 8, {"m8n8k32", "m16n8k32", "m16n8k64"},
                    a == b ? "" : ".satfinite");
  for (const char *modifier : {".xor.popc", ".and.popc"})
    addSmallForms(forms, "b1", "b1", 32, {"m8n8k128", "m16n8k128", "m16n8k256"},
                  modifier);
  return forms;
}

bool is(const char *type, const char *name) {
  return std::string_view(type) == name;
}

/// The bits of a small number, which all types hold exactly.
uint64_t encode(const char *type, double value) {
  if (is(type, "f64")) {
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return bits;
  }
  const std::pair<const char *, const llvm::fltSemantics &> formats[] = {
      {"f16", llvm::APFloat::IEEEhalf()},
      {"bf16", llvm::APFloat::BFloat()},
      {"e4m3", llvm::APFloat::Float8E4M3FN()},
      {"e5m2", llvm::APFloat::Float8E5M2()}};
  for (const auto &[name, format] : formats) {
    if (!is(type, name))
      continue;
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    EXPECT_FALSE(losesInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  if (type[0] == 's' || type[0] == 'u')
    return static_cast<uint32_t>(static_cast<int64_t>(value)) &
           (is(type, "s32")  ? ~0u
            : type[1] == '4' ? 15u
                             : 255u);
  if (is(type, "b1"))
    return value != 0;
  auto single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, 4);
  return bits;
}

class PTXMatrix : public PTXLaunchTest {
protected:
  /// A register class, and how many registers of A, B and C a lane has.
  static int registersOfC(const Form &form) {
    return is(form.typeOfD, "f16") ? form.rows / 8 : form.rows / 4;
  }
  static std::string list(const char *name, int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += (i ? ", %" : "%") + std::string(name) + std::to_string(i);
    return text + "}";
  }
  /// Loads A, B and C from words of 8 bytes, register by register.
  static std::string makeKernel(const Form &form) {
    bool isDouble = is(form.typeOfA, "f64");
    const char *word = isDouble ? "f64" : "b32";
    const char *sum = isDouble                  ? "f64"
                      : is(form.typeOfD, "f32") ? "f32"
                                                : "b32";
    std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n"
                       ".visible .entry multiply(.param .u64 in, .param .u64 "
                       "out) {\n.reg .b64 %p<3>;\n.reg .b32 %r<2>;\n"
                       ".reg ." +
                       std::string(word) + " %a<8>;\n.reg ." + word +
                       " %b<4>;\n.reg ." + sum + " %c<4>;\n.reg ." + sum +
                       " %d<4>;\nld.param.u64 %p0, [in];\n"
                       "ld.param.u64 %p1, [out];\nmov.u32 %r0, %tid.x;\n"
                       "mul.wide.u32 %p2, %r0, 8;\nadd.u64 %p0, %p0, %p2;\n"
                       "add.u64 %p1, %p1, %p2;\n";
    int place = 0;
    auto move = [&](const char *name, const char *type, int count,
                    bool isLoad) {
      for (int i = 0; i < count; ++i, ++place) {
        std::string value = "%" + std::string(name) + std::to_string(i);
        std::string address = "[%p" + std::string(isLoad ? "0" : "1") + " + " +
                              std::to_string(place * 256) + "]";
        text += std::string(isLoad ? "ld" : "st") + ".global." + type + " " +
                (isLoad ? value + ", " + address : address + ", " + value) +
                ";\n";
      }
    };
    move("a", word, form.registersOfA, true);
    move("b", word, form.registersOfB, true);
    move("c", sum, registersOfC(form), true);
    text += "mma.sync.aligned." + std::string(form.shape) + ".row.col" +
            form.modifier + "." + form.typeOfD + "." + form.typeOfA + "." +
            form.typeOfB + "." + form.typeOfD + " " +
            list("d", registersOfC(form)) + ", " +
            list("a", form.registersOfA) + ", " + list("b", form.registersOfB) +
            ", " + list("c", registersOfC(form)) + ";\n";
    place = 0;
    move("d", sum, registersOfC(form), false);
    return text + "ret;\n}\n";
  }

  void check(const Form &form, int scaleOfC);
};
} // namespace

void PTXMatrix::check(const Form &form, int scaleOfC) {
  std::mt19937 random(7);
  bool isXor = is(form.modifier, ".xor.popc");
  auto draw = [&](const char *type) {
    int number = static_cast<int>(random() % 15);
    return is(type, "u8")   ? 200 + number
           : is(type, "u4") ? number
           : is(type, "b1") ? number % 2
                            : number - 7;
  };
  std::vector<double> a(form.rows * form.depth), b(form.depth * 8),
      c(form.rows * 8);
  for (double &x : a)
    x = draw(form.typeOfA);
  for (double &x : b)
    x = draw(form.typeOfB);
  for (double &x : c)
    x = draw("s32") * double(scaleOfC);
  int ofC = registersOfC(form), total = form.registersOfA + form.registersOfB;
  std::vector<uint64_t> words((total + ofC) * 32), expected(ofC * 32);
  auto put = [](std::vector<uint64_t> &to, int first, int lane, int i,
                int perRegister, uint64_t bits) {
    to[(first + i / perRegister) * 32 + lane] |=
        bits << i % perRegister * (32 / perRegister);
  };
  int perSum = is(form.typeOfD, "f16") ? 2 : 1;
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane / 4, thread = lane % 4;
    for (int i = 0; i < form.registersOfA * form.perRegister; ++i)
      put(words, 0, lane, i, form.perRegister,
          encode(form.typeOfA, a[form.rowOfA(group, i) * form.depth +
                                 form.columnOfA(thread, i)]));
    for (int i = 0; i < form.registersOfB * form.perRegister; ++i)
      put(words, form.registersOfA, lane, i, form.perRegister,
          encode(form.typeOfB, b[form.rowOfB(thread, i) * 8 + group]));
    for (int i = 0; i < form.rows / 4; ++i) {
      int row = lower(i >= 2, group), column = thread * 2 + i % 2;
      double sum = c[row * 8 + column];
      put(words, total, lane, i, perSum, encode(form.typeOfD, sum));
      for (int k = 0; k < form.depth; ++k)
        sum += isXor ? a[row * form.depth + k] != b[k * 8 + column]
                     : a[row * form.depth + k] * b[k * 8 + column];
      if (is(form.modifier, ".satfinite"))
        sum = std::max(-2147483648.0, std::min(2147483647.0, sum));
      put(expected, 0, lane, i, perSum, encode(form.typeOfD, sum));
    }
  }
  cuda::DevicePointer out = upload(std::vector<uint64_t>(expected.size()));
  launchText(makeKernel(form), "multiply", 1, 32, {upload(words), out});
  EXPECT_EQ(download<uint64_t>(out, expected.size()), expected)
      << makeKernel(form);
}

TEST_F(PTXMatrix, EveryFormMultiplies) {
  std::vector<Form> forms = allForms();
  EXPECT_EQ(forms.size(), 56u);
  for (const Form &form : forms)
    check(form, 1);
}

/// Sums of integers wrap, or stay at the ends of their range.
TEST_F(PTXMatrix, IntegersWrapOrSaturate) {
  for (const Form &form : allForms())
    if (is(form.typeOfD, "s32"))
      check(form, 300000000);
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

namespace {
/// One form of wmma, with the number of registers that the PTX ISA lists.
struct WholeForm {
  const char *shape;
  int rows, columns, depth;
  const char *typeOfA, *typeOfC;
  int ofA, ofB, ofC;
};
const WholeForm kWholeForms[] = {
    {"m16n16k16", 16, 16, 16, "f16", "f32", 8, 8, 8},
    {"m16n16k16", 16, 16, 16, "f16", "f16", 8, 8, 4},
    {"m8n32k16", 8, 32, 16, "f16", "f32", 8, 8, 8},
    {"m32n8k16", 32, 8, 16, "f16", "f16", 8, 8, 4},
    {"m16n16k16", 16, 16, 16, "bf16", "f32", 4, 4, 8},
    {"m8n32k16", 8, 32, 16, "bf16", "f32", 2, 8, 8},
    {"m32n8k16", 32, 8, 16, "bf16", "f32", 8, 2, 8},
    {"m16n16k8", 16, 16, 8, "tf32", "f32", 4, 4, 8},
    {"m16n16k16", 16, 16, 16, "s8", "s32", 2, 2, 8},
    {"m8n32k16", 8, 32, 16, "u8", "s32", 1, 4, 8},
    {"m32n8k16", 32, 8, 16, "s8", "s32", 4, 1, 8},
    {"m8n8k4", 8, 8, 4, "f64", "f64", 1, 1, 2},
};

int bytesOf(const char *type) {
  std::string_view text = type;
  return text == "f64"                     ? 8
         : text == "f16" || text == "bf16" ? 2
         : text == "s8" || text == "u8"    ? 1
                                           : 4;
}

std::string classOf(const char *type) {
  return is(type, "f64") ? "f64" : is(type, "f32") ? "f32" : "b32";
}
} // namespace

static constexpr int kPadding = 8;

/// d = a * b + c; bit 0 of `columnMajor` is for a, 1 for b, 2 for c and d.
static std::string makeWhole(const WholeForm &form, int columnMajor) {
  auto layout = [&](int bit) { return columnMajor >> bit & 1 ? "col" : "row"; };
  auto stride = [&](int bit, int rows, int columns) {
    return std::to_string((columnMajor >> bit & 1 ? rows : columns) + kPadding);
  };
  auto registers = [](const char *name, int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += (i ? ", %" : "%") + std::string(name) + std::to_string(i);
    return text + "}";
  };
  std::string a = form.typeOfA, c = form.typeOfC, shape = form.shape;
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry whole(.param .u64 pa, .param .u64 pb, .param .u64 pc, "
      ".param .u64 pd) {\n.reg .b64 %p<4>;\n.reg ." +
      classOf(form.typeOfA) + " %a<8>;\n.reg ." + classOf(form.typeOfA) +
      " %b<8>;\n.reg ." + classOf(form.typeOfC) + " %c<8>;\n.reg ." +
      classOf(form.typeOfC) + " %d<8>;\n";
  for (const char *name : {"pa", "pb", "pc", "pd"})
    text += "ld.param.u64 %p" + std::to_string(name[1] - 'a') + ", [" + name +
            "];\n";
  text += "wmma.load.a.sync.aligned." + std::string(layout(0)) + "." + shape +
          ".global." + a + " " + registers("a", form.ofA) + ", [%p0], " +
          stride(0, form.rows, form.depth) + ";\n";
  text += "wmma.load.b.sync.aligned." + std::string(layout(1)) + "." + shape +
          "." + a + " " + registers("b", form.ofB) + ", [%p1], " +
          stride(1, form.depth, form.columns) + ";\n";
  text += "wmma.load.c.sync.aligned." + std::string(layout(2)) + "." + shape +
          ".global." + c + " " + registers("c", form.ofC) + ", [%p2], " +
          stride(2, form.rows, form.columns) + ";\n";
  text += "wmma.mma.sync.aligned." + std::string(layout(0)) + "." + layout(1) +
          "." + shape + "." + c + (a == "f16" ? "" : "." + a + "." + a) + "." +
          c + " " + registers("d", form.ofC) + ", " + registers("a", form.ofA) +
          ", " + registers("b", form.ofB) + ", " + registers("c", form.ofC) +
          ";\n";
  text += "wmma.store.d.sync.aligned." + std::string(layout(2)) + "." + shape +
          ".global." + c + " [%p3], " + registers("d", form.ofC) + ", " +
          stride(2, form.rows, form.columns) + ";\n";
  return text + "ret;\n}\n";
}

TEST_F(PTXMatrix, WholeMatricesMultiply) {
  std::mt19937 random(3);
  for (const WholeForm &form : kWholeForms)
    for (int columnMajor = 0; columnMajor < 8; ++columnMajor) {
      SCOPED_TRACE(std::string(form.shape) + " " + form.typeOfA + " " +
                   std::to_string(columnMajor));
      struct Matrix {
        int rows, columns, stride;
        bool isColumnMajor;
        const char *type;
        std::vector<double> values;
        std::vector<uint8_t> bytes;
        size_t index(int row, int column) const {
          return isColumnMajor ? column * stride + row : row * stride + column;
        }
        void put(int row, int column, double value) {
          values[row * columns + column] = value;
          uint64_t bits = encode(type, value);
          int size = bytesOf(type);
          std::memcpy(&bytes[index(row, column) * size], &bits, size);
        }
      };
      auto make = [&](int rows, int columns, int bit, const char *type) {
        bool isColumnMajor = columnMajor >> bit & 1;
        int stride = (isColumnMajor ? rows : columns) + kPadding;
        Matrix matrix{rows, columns, stride, isColumnMajor, type, {}, {}};
        matrix.values.resize(rows * columns);
        matrix.bytes.resize(stride * std::max(rows, columns) * bytesOf(type));
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < columns; ++column)
            matrix.put(row, column,
                       static_cast<int>(random() % 13) -
                           (is(type, "u8") ? 0 : 6));
        return matrix;
      };
      Matrix a = make(form.rows, form.depth, 0, form.typeOfA);
      Matrix b = make(form.depth, form.columns, 1, form.typeOfA);
      Matrix c = make(form.rows, form.columns, 2, form.typeOfC);
      Matrix d = c;
      std::fill(d.bytes.begin(), d.bytes.end(), 0);
      cuda::DevicePointer out = upload(d.bytes);
      launchText(makeWhole(form, columnMajor), "whole", 1, 32,
                 {upload(a.bytes), upload(b.bytes), upload(c.bytes), out});
      for (int row = 0; row < form.rows; ++row)
        for (int column = 0; column < form.columns; ++column) {
          double sum = c.values[row * form.columns + column];
          for (int k = 0; k < form.depth; ++k)
            sum += a.values[row * form.depth + k] *
                   b.values[k * form.columns + column];
          d.put(row, column, sum);
        }
      EXPECT_EQ(download<uint8_t>(out, d.bytes.size()), d.bytes);
    }
}

/// Before version 6.3 of PTX there was no .aligned.
TEST_F(PTXMatrix, WholeMatricesOfOldCode) {
  std::string text = makeWhole(kWholeForms[0], 0);
  auto replaceAll = [&](const std::string &from, const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  };
  replaceAll(".aligned", "");
  EXPECT_NE(compileLog(text), "");
  replaceAll(".version 8.0\n.target sm_80", ".version 6.0\n.target sm_70");
  const int stride = 16 + kPadding;
  std::vector<uint16_t> ones(16 * stride, 0x3c00);
  std::vector<float> c(16 * stride, 2);
  cuda::DevicePointer in = upload(ones), out = upload(std::vector<float>(c));
  launchText(text, "whole", 1, 32, {in, in, upload(c), out});
  EXPECT_EQ(download<float>(out, 16), std::vector<float>(16, 18));
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST_F(PTXMatrix, AWarpMustBeWhole) {
  Form form = allForms().front();
  cuda::DevicePointer memory = upload(std::vector<uint64_t>(32 * 16));
  launchText(makeKernel(form), "multiply", 1, 20, {memory, memory},
             cuda::kLaunchFailed);
  EXPECT_NE(
      std::string(heteroEmulatorLastFault()).find("all of its 32 threads"),
      std::string::npos)
      << heteroEmulatorLastFault();
}

TEST_F(PTXMatrix, TypesGoWithShapes) {
  Form form = allForms().front();
  auto refuses = [&](const Form &wrong, const char *why) {
    std::string log = compileLog(makeKernel(wrong));
    EXPECT_NE(log.find(why), std::string::npos) << log;
  };
  Form wrong = form;
  wrong.typeOfB = "bf16";
  refuses(wrong, "the type '.bf16'");
  wrong = form;
  wrong.typeOfA = "f32";
  refuses(wrong, "its types do not go together");
  wrong = form;
  wrong.registersOfA = 3;
  refuses(wrong, "expected 4 registers, got 3");
  wrong = form;
  wrong.shape = "m16n8k32";
  refuses(wrong, "m16n8k32");
}
