//===- Import.h - C API of the ONNX reader --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an ONNX model as MLIR, for callers that want the names and types of its
// inputs, too. heteroCompileFile() reads models as well.
//
// Weights are neither read nor copied, so that the model's files stay mapped
// while the import or a program that was compiled from it is there: delete or
// replace such a file, but do not write into it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_C_IMPORT_H
#define HETERO_C_IMPORT_H

#include "hetero-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An imported model.
typedef struct HeteroImport HeteroImport;

/// Imports a file. `options` may be NULL; of them "dim", "value" and "shape"
/// count: each call of heteroSetCompileOption() with "dim" and "NAME=SIZE" sets
/// a dynamic dimension, with "value" and "NAME=NUMBERS" makes an input a
/// constant, with "shape" and "NAME=JSON" says what an input is: a list of
/// sizes (null, -1 or a name where one is dynamic), a list of such lists for
/// the items of a sequence, or null for an optional that is absent. The items
/// of a sequence NAME are inputs NAME.0, NAME.1 and so on; so are those of
/// results. NULL after an error, which is in `diagnostics`. `constants`, unless
/// NULL, gets a JSON list of the inputs that are to be constants: those without
/// whose elements the node of the error cannot be imported, and without an
/// error those that decide which branch of an If is imported, where both cannot
/// be. A caller that has their values sets these as "value" and imports again.
/// Both texts are freed with heteroFreeString().
HETERO_EXPORT HeteroImport *
heteroImportFile(const char *path, const HeteroCompileOptions *options,
                 char **diagnostics, char **constants);

/// The same of bytes in memory, which stay the caller's, and have to be there
/// while the import or a program that was compiled from it is. `name` stands
/// for the file in errors; external data lies in its folder.
HETERO_EXPORT HeteroImport *
heteroImportBuffer(const void *data, int64_t bytes, const char *name,
                   const HeteroCompileOptions *options, char **diagnostics,
                   char **constants);

/// The model as bytecode of MLIR, with its weights, or NULL without memory;
/// made by the first call, and valid as long as the import.
HETERO_EXPORT const void *heteroGetImportBytecode(const HeteroImport *import,
                                                  int64_t *bytes);

/// The inputs and results as JSON: {"inputs": [{"name": "x", "type": "uint8",
/// "sizes": [-1, 3], "dims": ["N", ""]}], "results": [...], "structure": ["y",
/// ["s.0", "s.1"], null]}. Types are ONNX's, with the sign; a size is -1 where
/// it is dynamic, and has then its name in the file, if it has one. The
/// structure has the model's results in order: the name of a result, a list of
/// those of a sequence, or null for an optional that is absent.
HETERO_EXPORT char *heteroDescribeImport(const HeteroImport *import);

/// Compiles the model and tunes its placement, as heteroTuneBuffer() does.
HETERO_EXPORT HeteroProgram *
heteroTuneImport(const HeteroImport *import,
                 const HeteroCompileOptions *options, const char *entry,
                 const HeteroValue *arguments, int32_t numArguments,
                 int32_t rounds, char **diagnostics);

/// Programs that were compiled from it stay.
HETERO_EXPORT void heteroDestroyImport(HeteroImport *import);

#ifdef __cplusplus
}
#endif

#endif // HETERO_C_IMPORT_H
