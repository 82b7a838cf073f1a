//===- hetero-opt.cpp - mlir-opt with this project ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/OptionNames.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef HETERO_HAS_TEST_PASSES
namespace mlir::hetero::test {
void registerTestPasses();
void registerTestKinds(DialectRegistry &registry);
} // namespace mlir::hetero::test
#endif

#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD &&                     \
    !LLVM_THREAD_SANITIZER_BUILD
/// What a pass frees the next one needs: giving it back to the system in
/// between, page by page, costs large modules a part of their time.
static void keepFreedMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

/// Asks for huge pages in the first GiB, as far as it gets used: in a large
/// module, which is there before any pass, each look at another operation is
/// one at another small page, more than the processor remembers the addresses
/// of. The memory of passes on a larger one is not worth that: where the system
/// has to find huge pages first, they cost more. Needs freed memory to be kept.
static void useHugePages() {
  constexpr size_t kSize = size_t{1} << 30;
  void *heap = malloc(kSize); // Becomes the heap's unused end again.
  if (!heap)
    return;
  size_t page = sysconf(_SC_PAGESIZE);
  uintptr_t begin = llvm::alignTo(reinterpret_cast<uintptr_t>(heap), page);
  (void)madvise(reinterpret_cast<void *>(begin), kSize - page, MADV_HUGEPAGE);
  free(heap);
}
#else
static void keepFreedMemory() {}
static void useHugePages() {}
#endif

int main(int argc, char **argv) {
  keepFreedMemory();
  useHugePages();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::hetero::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::hetero::registerAllPasses();
#ifdef HETERO_HAS_TEST_PASSES
  mlir::hetero::test::registerTestPasses();
  mlir::hetero::test::registerTestKinds(registry);
#endif
  std::string header =
      mlir::registerCLIOptions("hetero optimizer driver\n", registry);
  if (!mlir::hetero::checkOptionNames(argc, argv))
    return EXIT_FAILURE;
  auto [input, output] = mlir::parseCLIOptions(argc, argv, header);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
