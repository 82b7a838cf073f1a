//===- Signatures.h - Values and what is wanted -----------------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNNER_SIGNATURES_H
#define HETERO_LIB_RUNNER_SIGNATURES_H

#include "hetero/Runner/HostValue.h"

#include <string>

namespace hetero::runner {

/// "tensor<?x7xf32>", or "f32" for a scalar.
std::string signatureText(const HeteroSignatureValue &value);

/// Checks a value against the type that is wanted, and gives it that type where
/// it left something open: one without sizes is taken for a scalar or a tensor
/// of rank 0, as needed.
bool fitValue(HostValue &value, const HeteroSignatureValue &wanted);

} // namespace hetero::runner

#endif // HETERO_LIB_RUNNER_SIGNATURES_H
