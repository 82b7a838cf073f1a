//===- ONNXFuzzer.cpp - Feeds files to the reader of ONNX -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any file is imported or refused: the reader neither crashes nor makes
// operations that the verifier refuses, and what it refuses it says.
//
//===----------------------------------------------------------------------===//

#include "hetero/Import/ONNX/ImportONNX.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace mlir::hetero;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

//===----------------------------------------------------------------------===//
// The property
//===----------------------------------------------------------------------===//

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Contexts keep all attributes; a new one for each file would take longer
  // than the file.
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 256 == 0)
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  // Diagnostics of the verifier.
  ScopedDiagnosticHandler handler(context.get(),
                                  [](Diagnostic &) { return success(); });
  std::string error;
  std::shared_ptr<llvm::MemoryBuffer> file =
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(reinterpret_cast<const char *>(data), size), "model");
  ONNXSignature signature;
  OwningOpRef<ModuleOp> module =
      importONNX(file, "/no/such/folder", {}, context.get(), error, &signature);
  // Long runs look for models whose operations only the verifier refuses, too.
  bool isFault = std::getenv("HETERO_FULL_TESTS") &&
                 StringRef(error).contains("fault of hetero");
  if (isFault || bool(module) != error.empty()) {
    llvm::errs() << (error.empty() ? "refused without an error" : error)
                 << "\n";
    std::abort();
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Mutations that keep the lengths of messages right
//===----------------------------------------------------------------------===//

namespace {
/// A field: its tag, and a number or bytes.
struct Part {
  uint64_t tag, number = 0;
  std::string bytes;
};

class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  std::string mutate(StringRef message, unsigned depth);

private:
  unsigned below(size_t limit) { return limit ? random() % limit : 0; }
  void mutateField(Part &part, unsigned depth);

  std::minstd_rand random;
};
} // namespace

static bool readVarint(StringRef &rest, uint64_t &number) {
  number = 0;
  for (unsigned i = 0; i < 10 && i < rest.size(); ++i) {
    number |= uint64_t(rest[i] & 127) << (7 * i);
    if (!(rest[i] & 128)) {
      rest = rest.drop_front(i + 1);
      return true;
    }
  }
  return false;
}

static void writeVarint(std::string &to, uint64_t number) {
  for (; number >= 128; number >>= 7)
    to += char(number | 128);
  to += char(number);
}

/// Splits a message into fields; false if it is none.
static bool split(StringRef rest, std::vector<Part> &parts) {
  while (!rest.empty()) {
    Part part;
    if (!readVarint(rest, part.tag) || part.tag < 8)
      return false;
    unsigned kind = part.tag & 7;
    uint64_t size = kind == 1 ? 8 : kind == 5 ? 4 : 0;
    if (kind == 0 && !readVarint(rest, part.number))
      return false;
    if (kind == 2 && !readVarint(rest, size))
      return false;
    if ((kind > 2 && kind != 5) || size > rest.size())
      return false;
    part.bytes = rest.take_front(size).str();
    rest = rest.drop_front(size);
    parts.push_back(std::move(part));
  }
  return true;
}

static std::string join(const std::vector<Part> &parts) {
  std::string message;
  for (const Part &part : parts) {
    writeVarint(message, part.tag);
    if ((part.tag & 7) == 0)
      writeVarint(message, part.number);
    if ((part.tag & 7) == 2)
      writeVarint(message, part.bytes.size());
    message += part.bytes;
  }
  return message;
}

void Mutator::mutateField(Part &part, unsigned depth) {
  if ((part.tag & 7) == 0) {
    static const int64_t edges[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    -1,
                                    -2,
                                    255,
                                    1 << 16,
                                    INT32_MAX,
                                    INT32_MIN,
                                    INT64_MAX,
                                    INT64_MIN,
                                    int64_t(1) << 32,
                                    int64_t(1) << 62};
    part.number =
        below(2) ? edges[below(std::size(edges))] : part.number + below(9) - 4;
    return;
  }
  std::vector<Part> inner;
  bool isMessage = (part.tag & 7) == 2 && split(part.bytes, inner);
  if (isMessage && !inner.empty() && below(8)) {
    part.bytes = mutate(part.bytes, depth + 1);
    return;
  }
  size_t size = part.bytes.size(),
         most = (part.tag & 7) == 2 ? size + 16 : size;
  part.bytes.resize(most);
  part.bytes.resize(LLVMFuzzerMutate(
      reinterpret_cast<uint8_t *>(part.bytes.data()), size, most));
  part.bytes.resize((part.tag & 7) == 2 ? part.bytes.size() : size);
}

std::string Mutator::mutate(StringRef message, unsigned depth) {
  std::vector<Part> parts;
  if (depth > 32 || !split(message, parts) || parts.empty())
    return message.str();
  size_t at = below(parts.size()), other = below(parts.size());
  switch (below(16)) {
  case 0:
    parts.erase(parts.begin() + at);
    break;
  case 1:
    parts.insert(parts.begin() + at, Part(parts[other]));
    break;
  case 2:
    std::swap(parts[at], parts[other]);
    break;
  case 3:
    parts[at].bytes = parts[other].bytes;
    parts[at].number = parts[other].number;
    parts[at].tag = parts[at].tag >> 3 << 3 | (parts[other].tag & 7);
    break;
  default:
    mutateField(parts[at], depth);
  }
  return join(parts);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  Mutator mutator(seed);
  std::string made =
      mutator.mutate(StringRef(reinterpret_cast<char *>(data), size), 0);
  if (made.empty() || made.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}
