//===- MPITransport.h - The library that calls MPI ----------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_MPITRANSPORT_H
#define HETERO_LIB_RUNTIME_NODES_MPITRANSPORT_H

#include "hetero/Runtime/HeteroNodes.h"

namespace hetero::runtime {

/// Loads libhetero_mpi.so, or what HETERO_MPI names, and joins the ranks that
/// were started together.
HeteroStatus openMPITransport(HeteroTransport &transport);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_MPITRANSPORT_H
