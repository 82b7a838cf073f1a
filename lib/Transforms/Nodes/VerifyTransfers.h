//===- VerifyTransfers.h - One order for all nodes --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that the programs of the nodes do not wait for each other forever. The
// tags of transfers and the positions of control flow and calls that several
// nodes run (`hetero.position`) are one order, that of the joined program. It
// is enough that
//
//   (C1) each transfer is awaited once, later in the block where it starts;
//   (C2) before a node waits, or begins control flow or a call with a position,
//        it has started all transfers of the block with smaller tags;
//   (C3) positions of a block rise, and what is inside comes between a position
//        and the next;
//   (C4) each send has its receive, of the same elements, in the other node's
//        program, within control flow of the same positions, and each receive
//        its send.
//
// For if nodes waited for each other, take the one that waits at the smallest
// place of that order (iterations of loops count first). Its peer, which is not
// before that place, has started the transfer by C2 to C4: a contradiction.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_VERIFYTRANSFERS_H
#define HETERO_TRANSFORMS_NODES_VERIFYTRANSFERS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Checks C1 to C3 in the program of one node. Does nothing for others.
LogicalResult verifyTransferOrder(ModuleOp program);

/// Checks C4 for the programs of all nodes, which are modules in this one, if
/// there are any.
LogicalResult verifyTransferPairs(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_VERIFYTRANSFERS_H
