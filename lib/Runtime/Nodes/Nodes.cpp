//===- Nodes.cpp - One program over several nodes -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Error.h"
#include "Runtime/Nodes/MPITransport.h"
#include "Runtime/Nodes/Session.h"
#include "hetero/Runtime/HeteroNodes.h"

#include <mutex>
#include <string>

using namespace hetero::runtime;

static HeteroStatus failWithoutNodes(const char *call) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) +
                  " was called by a process that has joined no other; start "
                  "the program with mpirun, and call heteroJoinNodes first");
}

HeteroStatus heteroSend(int32_t node, int64_t tag, const void *data,
                        int64_t bytes, const char *value) {
  Session *session = currentSession();
  if (!session)
    return failWithoutNodes("heteroSend");
  return session->start(
      {/*isSend=*/true, node, tag, const_cast<void *>(data), bytes, value});
}

HeteroStatus heteroReceive(int32_t node, int64_t tag, void *data, int64_t bytes,
                           const char *value) {
  Session *session = currentSession();
  if (!session)
    return failWithoutNodes("heteroReceive");
  return session->start({/*isSend=*/false, node, tag, data, bytes, value});
}

HeteroStatus heteroAwaitTransfer(int64_t tag, const void *data) {
  Session *session = currentSession();
  if (!session)
    return failWithoutNodes("heteroAwaitTransfer");
  return session->await(tag, data);
}

/// The process becomes a rank, once: MPI cannot be begun again.
static HeteroStatus joinByMPI() {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (currentSession())
    return HETERO_OK;
  HeteroTransport transport;
  if (HeteroStatus status = openMPITransport(transport))
    return status;
  // Threads may know it until the process ends.
  setProcessRank(new Session(transport, HETERO_NODES_TIMEOUT));
  return HETERO_OK;
}

HeteroStatus heteroJoinNodes(int32_t nodes, uint64_t programHash,
                             double timeoutSeconds) {
  if (HeteroStatus status = joinByMPI())
    return status;
  Session *session = currentSession();
  if (session->isOver())
    return fail(HETERO_ERROR_NODES,
                "heteroJoinNodes was called after heteroLeaveNodes; start the "
                "process anew");
  if (timeoutSeconds > 0)
    session->setTimeout(timeoutSeconds);
  return nodes ? session->agree({nodes, programHash}) : HETERO_OK;
}

HeteroStatus heteroAgreeOnProgram(int32_t nodes, uint64_t programHash) {
  Session *session = currentSession();
  if (!session)
    return failWithoutNodes("heteroAgreeOnProgram");
  return session->agree({nodes, programHash});
}

HeteroStatus heteroLeaveNodes(HeteroStatus status) {
  Session *session = currentSession();
  return session ? session->leave(status) : status;
}

int32_t heteroNodeRank(void) {
  Session *session = currentSession();
  return session ? session->number : 0;
}

int32_t heteroNodeCount(void) {
  Session *session = currentSession();
  return session ? session->getSize() : 1;
}
