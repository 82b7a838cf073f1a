//===- MPITransportTest.cpp - Joining by a library ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroNodes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>

namespace {
HeteroStatus joinBy(const char *library, const char *kind) {
  setenv("HETERO_MPI", library, /*overwrite=*/1);
  setenv("HETERO_FAKE_TRANSPORT", kind, /*overwrite=*/1);
  return heteroJoinNodes(0, 0, 0.2);
}

template <typename T> T *findInLibrary(const char *name) {
  void *library = dlopen(HETERO_FAKE_TRANSPORT, RTLD_NOW | RTLD_NOLOAD);
  return library ? static_cast<T *>(dlsym(library, name)) : nullptr;
}

/// A process joins once, so that all of it is one test: first what refuses.
TEST(MPITransport, JoinsOnceByTheLibrary) {
  EXPECT_EQ(joinBy("/nowhere.so", ""), HETERO_ERROR_NODES);
  EXPECT_EQ(std::string(heteroLastError()).find("MPI cannot be used: /nowhere"),
            0u)
      << heteroLastError();
  EXPECT_EQ(joinBy("libm.so.6", ""), HETERO_ERROR_NODES);
  EXPECT_STREQ(heteroLastError(),
               "MPI cannot be used: the library has no function "
               "heteroOpenTransport; set HETERO_MPI to a libhetero_mpi");
  EXPECT_EQ(joinBy(HETERO_FAKE_TRANSPORT, "refuses"), HETERO_ERROR_NODES);
  EXPECT_STREQ(heteroLastError(),
               "MPI cannot be used: there is no network; lay a cable");
  EXPECT_EQ(joinBy(HETERO_FAKE_TRANSPORT, "old"), HETERO_ERROR_NODES);
  EXPECT_STREQ(heteroLastError(),
               "MPI cannot be used: libhetero_mpi has version 0, expected 1; "
               "use the one built with this runtime");
  EXPECT_EQ(heteroNodeCount(), 1);

  ASSERT_EQ(joinBy(HETERO_FAKE_TRANSPORT, ""), HETERO_OK) << heteroLastError();
  // Of the process: whatever thread asks.
  std::thread([] {
    EXPECT_EQ(heteroNodeRank(), 1);
    EXPECT_EQ(heteroNodeCount(), 2);
  }).join();

  // Its message moves while nobody waits for it.
  int64_t number = 0;
  heteroFrameBegin("main");
  EXPECT_EQ(heteroSend(0, 1, &number, 8, "%x of @main"), HETERO_ERROR_NODES);
  EXPECT_STREQ(heteroLastError(), "rank 1: '%x of @main': the cable is out");
  ASSERT_EQ(heteroReceive(0, 1, &number, 8, "%x of @main"), HETERO_OK);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(heteroAwaitTransfer(1, &number), HETERO_OK) << heteroLastError();
  EXPECT_EQ(number, 42);

  // Tags of the program are bounded by those of the library.
  EXPECT_EQ(heteroReceive(0, 32, &number, 8, "%x of @main"),
            HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(),
               "rank 1: '%x of @main' has tag 32, expected 1 to 31; use an MPI "
               "with a larger MPI_TAG_UB, or a program with fewer transfers");

  // What cannot be cancelled keeps its memory, and rank 0 is not there to leave
  // with.
  void *memory;
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 64, 64, &memory), HETERO_OK);
  ASSERT_EQ(heteroReceive(0, 2, memory, 64, "%x of @main"), HETERO_OK);
  HeteroStatus status = heteroFrameEnd(heteroAssert(0, "the sizes differ"));
  EXPECT_EQ(heteroLeaveNodes(status), HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(), "rank 1: the sizes differ");
  auto *end = findInLibrary<int32_t>("heteroFakeEnd");
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(*end, 0);

  EXPECT_EQ(joinBy(HETERO_FAKE_TRANSPORT, ""), HETERO_ERROR_NODES);
  EXPECT_STREQ(heteroLastError(),
               "heteroJoinNodes was called after heteroLeaveNodes; start the "
               "process anew");
}
} // namespace
