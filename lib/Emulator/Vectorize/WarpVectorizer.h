//===- WarpVectorizer.h - Runs a warp's lanes together ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the function of one PTX thread makes one of a warp: a value that differs
// among lanes becomes a vector of 32. Where lanes part, a mask says for each
// block which of them have yet to run it:
//
//   void ptx.k(context)             void warp.k(warp)
//     br i1 %p, %then, %else          pending[then] |= mask & %p
//   then:                             pending[else] |= mask & ~%p
//     ...                             if (pending[then]) { then: ... }
//   else:                             if (pending[else]) { else: ... }
//     ...
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H

#include "Emulator/Vectorize/WarpAnalysis.h"

#include <string>

namespace hetero::emulator::ptx {

/// Adds `void name(WarpContext *)` to the kernel's module.
llvm::Function *vectorize(llvm::Function &kernel, const WarpAnalysis &analysis,
                          const std::string &name);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H
