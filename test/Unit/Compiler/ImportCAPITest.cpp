//===- ImportCAPITest.cpp - Tests the C API of the ONNX reader ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Import.h"

#include "gtest/gtest.h"

#include <fstream>
#include <string>

namespace {

/// Fields of protobuf's wire format, of less than 128 bytes.
std::string field(int number, const std::string &bytes) {
  std::string head = {static_cast<char>(number << 3 | 2),
                      static_cast<char>(bytes.size())};
  return head + bytes;
}
std::string field(int number, int value) {
  return {static_cast<char>(number << 3), static_cast<char>(value)};
}

std::string makeValue(const std::string &name) {
  std::string size = field(1, field(2, "N"));
  std::string tensor = field(1, 1) + field(2, size);
  return field(1, name) + field(2, field(1, tensor));
}

/// y = Relu(x), of N floats.
std::string makeModel() {
  std::string node = field(1, "x") + field(2, "y") + field(4, "Relu");
  std::string graph = field(1, node) + field(2, "positive") +
                      field(11, makeValue("x")) + field(12, makeValue("y"));
  return field(1, 8) + field(7, graph) + field(8, field(2, 13));
}

std::string takeText(char *text) {
  std::string result = text ? text : "";
  heteroFreeString(text);
  return result;
}

HeteroImport *readModel(const std::string &model, const char *dim,
                        std::string &error) {
  HeteroCompileOptions *options = heteroCreateCompileOptions();
  if (dim)
    EXPECT_EQ(takeText(heteroSetCompileOption(options, "dim", dim)), "");
  char *text = nullptr;
  HeteroImport *result = heteroImportBuffer(model.data(), model.size(), "model",
                                            options, &text, nullptr);
  error = takeText(text);
  heteroDestroyCompileOptions(options);
  return result;
}

/// Expects a program of one entry point, "positive", and destroys it.
void expectProgram(HeteroProgram *program, char *text) {
  std::string message = takeText(text);
  ASSERT_TRUE(program) << message;
  ASSERT_EQ(heteroGetProgramTable(program)->numEntries, 1);
  EXPECT_STREQ(heteroGetProgramTable(program)->entries[0].name, "positive");
  heteroDestroyProgram(program);
}

// An imported model compiles, as it is and as bytecode, and its names are
// known.
TEST(ImportCAPI, Buffer) {
  std::string error;
  std::string model = makeModel();
  HeteroImport *made = readModel(model, nullptr, error);
  ASSERT_TRUE(made) << error;
  EXPECT_EQ(takeText(heteroDescribeImport(made)),
            "{\"inputs\":[{\"name\":\"x\",\"type\":\"float\",\"sizes\":[-1],"
            "\"dims\":[\"N\"]}],\"results\":[{\"name\":\"y\",\"type\":"
            "\"float\",\"sizes\":[-1],\"dims\":[\"\"]}],"
            "\"structure\":[\"y\"]}");
  int64_t bytes = 0;
  const void *code = heteroGetImportBytecode(made, &bytes);
  char *text = nullptr;
  HeteroProgram *program =
      heteroCompileBuffer(code, bytes, "model.onnx", nullptr, &text);
  expectProgram(program, text);
  program = heteroTuneImport(made, nullptr, nullptr, nullptr, -1,
                             /*rounds=*/0, &text);
  // It does not need the import any more.
  heteroDestroyImport(made);
  expectProgram(program, text);
}

// Sizes are those of the import.
TEST(ImportCAPI, SizesAreGivenOnce) {
  std::string error, model = makeModel();
  HeteroImport *made = readModel(model, nullptr, error);
  HeteroCompileOptions *options = heteroCreateCompileOptions();
  EXPECT_EQ(takeText(heteroSetCompileOption(options, "dim", "N=4")), "");
  char *text = nullptr;
  EXPECT_FALSE(heteroTuneImport(made, options, nullptr, nullptr, -1,
                                /*rounds=*/0, &text));
  EXPECT_EQ(takeText(text), "hetero: error: 'model' is imported already; give "
                            "--dim, --value and --shape to its import\n");
  heteroDestroyCompileOptions(options);
  heteroDestroyImport(made);
}

// A file is the same; what cannot be read is an error.
TEST(ImportCAPI, File) {
  std::string path = testing::TempDir() + "import-capi.onnx";
  std::ofstream(path, std::ios::binary) << makeModel();
  char *text = nullptr;
  HeteroImport *made = heteroImportFile(path.c_str(), nullptr, &text, nullptr);
  std::string message = takeText(text);
  EXPECT_TRUE(made) << message;
  heteroDestroyImport(made);
  char *constants = nullptr;
  EXPECT_FALSE(heteroImportFile("/nowhere.onnx", nullptr, &text, &constants));
  EXPECT_EQ(takeText(text),
            "cannot read '/nowhere.onnx': No such file or directory");
  EXPECT_EQ(takeText(constants), "[]");
}

// An error names the inputs that would have to be constants, with those that
// they are computed from.
TEST(ImportCAPI, Constants) {
  auto makeInt = [](const std::string &name) {
    std::string tensor = field(1, 7) + field(2, "");
    return field(1, name) + field(2, field(1, tensor));
  };
  std::string add =
      field(1, "n") + field(1, "m") + field(2, "k") + field(4, "Add");
  std::string sum =
      field(1, "x") + field(1, "k") + field(2, "y") + field(4, "CumSum");
  std::string graph = field(1, add) + field(1, sum) + field(2, "sums") +
                      field(11, makeValue("x")) + field(11, makeInt("n")) +
                      field(11, makeInt("m")) + field(12, makeValue("y"));
  std::string model = field(1, 8) + field(7, graph) + field(8, field(2, 14));
  char *text = nullptr, *constants = nullptr;
  EXPECT_FALSE(heteroImportBuffer(model.data(), model.size(), "model", nullptr,
                                  &text, &constants));
  EXPECT_EQ(takeText(text),
            "cannot import 'model': node \"y\" (CumSum 14): the axis, input 1 "
            "(\"k\"), must be constant integers; give them by --value");
  EXPECT_EQ(takeText(constants), "[\"n\",\"m\"]");
}

// A model compiles and is tuned with the sizes that options give.
TEST(ImportCAPI, SizesOfPrograms) {
  std::string model = makeModel();
  HeteroCompileOptions *options = heteroCreateCompileOptions();
  EXPECT_EQ(takeText(heteroSetCompileOption(options, "dim", "N=4")), "");
  for (int32_t rounds : {0, 1}) {
    char *text = nullptr;
    HeteroProgram *program =
        heteroTuneBuffer(model.data(), model.size(), "model.onnx", options,
                         nullptr, nullptr, -1, rounds, &text);
    std::string message = takeText(text);
    ASSERT_TRUE(program) << message;
    EXPECT_EQ(heteroGetProgramTable(program)->entries[0].arguments[0].sizes[0],
              4);
    heteroDestroyProgram(program);
  }
  heteroDestroyCompileOptions(options);
}

// Sizes are set, or refused by name, and damage has a place.
TEST(ImportCAPI, Errors) {
  std::string error;
  std::string model = makeModel();
  HeteroImport *made = readModel(model, "N=4", error);
  ASSERT_TRUE(made) << error;
  EXPECT_NE(takeText(heteroDescribeImport(made)).find("\"sizes\":[4]"),
            std::string::npos);
  heteroDestroyImport(made);
  EXPECT_FALSE(readModel(makeModel(), "M=4", error));
  EXPECT_EQ(error, "cannot import 'model': no input has a dimension named M; "
                   "it has N");
  EXPECT_FALSE(readModel(makeModel().substr(0, 20), nullptr, error));
  EXPECT_EQ(error.find("cannot import 'model': the file is damaged at byte"),
            0u);
}

} // namespace
