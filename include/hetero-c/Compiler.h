//===- Compiler.h - C API of the compiler -------------------------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a program, runs it in this process, says where its operations are,
// and saves it. Values, statuses and what a running program can be asked are
// those of hetero/Runtime/HeteroRuntime.h, whose library comes along.
//
// Functions that return `char *` or a handle return NULL after an error.
// `diagnostics`, where there is one, may be NULL; else it gets the errors,
// warnings and remarks as text with locations, or "" for none, to be freed with
// heteroFreeString(). A handle may be used by one thread at a time, but for
// heteroInvoke(); different handles may be used by different threads.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_C_COMPILER_H
#define HETERO_C_COMPILER_H

#include "hetero/Runtime/HeteroRuntime.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// What to compile with; starts with the defaults of hetero-run.
typedef struct HeteroCompileOptions HeteroCompileOptions;

HETERO_EXPORT HeteroCompileOptions *heteroCreateCompileOptions(void);
HETERO_EXPORT void heteroDestroyCompileOptions(HeteroCompileOptions *options);

/// Sets an option of hetero-run by its name, without dashes: "rules",
/// "default", "topology". Returns NULL, or the text of an error, to be freed
/// with heteroFreeString().
HETERO_EXPORT char *heteroSetCompileOption(HeteroCompileOptions *options,
                                           const char *name, const char *value);

/// The options as JSON: [{"name": "rules", "type": "string", "default": "",
/// "help": "..."}]; types are string, bool and int. What is one of a few
/// strings has them as "choices".
HETERO_EXPORT char *heteroDescribeCompileOptions(void);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A compiled program, ready to run.
typedef struct HeteroProgram HeteroProgram;

/// Compiles a file of MLIR, as text or bytecode. `options` may be NULL.
HETERO_EXPORT HeteroProgram *
heteroCompileFile(const char *path, const HeteroCompileOptions *options,
                  char **diagnostics);

/// Compiles text or bytecode in memory, which is read before the call returns.
/// `name` stands for the file in locations.
HETERO_EXPORT HeteroProgram *
heteroCompileBuffer(const void *data, int64_t bytes, const char *name,
                    const HeteroCompileOptions *options, char **diagnostics);

/// The same, and tunes the placement: the program is placed, called with the
/// arguments and measured, and placed again by what was measured, at most
/// `rounds` times, and all that is open on each device. The program is the one
/// whose calls were the shortest. `entry` as for heteroInvoke(). Arguments are
/// contiguous, on the host, and stay the caller's; with `numArguments` -1 they
/// are made up, where sizes are static. Without `rounds` nothing is measured.
HETERO_EXPORT HeteroProgram *
heteroTuneBuffer(const void *data, int64_t bytes, const char *name,
                 const HeteroCompileOptions *options, const char *entry,
                 const HeteroValue *arguments, int32_t numArguments,
                 int32_t rounds, char **diagnostics);

/// What the program was tuned by, as JSON with the members that
/// docs/Compiler.md lists; NULL for a program that was not tuned.
HETERO_EXPORT char *heteroDescribeTuning(const HeteroProgram *program);

/// Loads a library that heteroSaveProgram() or hetero-compile wrote. It can be
/// called and asked for its entry points.
HETERO_EXPORT HeteroProgram *heteroLoadProgram(const char *path,
                                               char **diagnostics);

/// A text of the caller that stays with the program, such as names of
/// arguments: a library that heteroSaveProgram() writes has it, and so has the
/// program that is loaded from there. Empty if there is none; valid until it is
/// set again.
HETERO_EXPORT void heteroSetProgramNote(HeteroProgram *program,
                                        const char *note);
HETERO_EXPORT const char *heteroGetProgramNote(const HeteroProgram *program);

/// For a caller that no longer waits for compilations of other threads, which
/// nothing can stop: the process may end while they go on.
HETERO_EXPORT void heteroLeaveCompilations(void);

/// No call of the program may be running. Its results stay.
HETERO_EXPORT void heteroDestroyProgram(HeteroProgram *program);

/// The entry points, in the order of the source; valid as long as the program.
HETERO_EXPORT const HeteroProgramTable *
heteroGetProgramTable(const HeteroProgram *program);

/// What the program keeps from call to call, for heteroReadState() and
/// heteroWriteState(); valid as long as the program, which has its own, also
/// where several are of one model or one library.
HETERO_EXPORT const HeteroStateTable *
heteroGetProgramStates(const HeteroProgram *program);

/// Where the operations are, what they and the copies cost: "json" with the
/// members that docs/Compiler.md lists, "html" for a web page, or "dot" for
/// Graphviz. The JSON has what operations took, once heteroInvokeMeasured() has
/// been called. NULL for a program that was loaded.
HETERO_EXPORT char *heteroDescribePlacement(HeteroProgram *program,
                                            const char *format,
                                            char **diagnostics);
/// A web page that shows the placements of two programs side by side. NULL
/// where one of them was loaded.
HETERO_EXPORT char *heteroComparePlacements(HeteroProgram *program,
                                            HeteroProgram *other,
                                            char **diagnostics);

/// Calls an entry point by its name; NULL: the only one, or "main". Threads may
/// call one program at once. The text of an error is heteroLastError().
HETERO_EXPORT HeteroStatus heteroInvoke(const HeteroProgram *program,
                                        const char *entry,
                                        const HeteroValue *arguments,
                                        int32_t numArguments,
                                        HeteroValue *results,
                                        int32_t numResults);

/// The same, with the times of kernels and host regions taken, of which
/// heteroDescribePlacement() then has those of the shortest such call, for the
/// entry point that was measured last. The program was compiled with the option
/// "mark-nodes". Nothing overlaps meanwhile; no other program of the process
/// may be running.
HETERO_EXPORT HeteroStatus heteroInvokeMeasured(
    HeteroProgram *program, const char *entry, const HeteroValue *arguments,
    int32_t numArguments, HeteroValue *results, int32_t numResults);

/// Calls an entry point for many requests, of which `inFlight` are under way at
/// once, as heteroCallMany() does. 0: as many as keep the busiest device or
/// link busy by placement's times and fit into memory; of a program that was
/// loaded, as many as the runtime takes.
HETERO_EXPORT HeteroStatus heteroInvokeMany(
    HeteroProgram *program, const char *entry, const HeteroValue *arguments,
    int32_t numArguments, HeteroValue *results, int32_t numResults,
    int64_t numRequests, int32_t inFlight);

/// Writes a file as hetero-compile does; its suffix says what: .so .o .ll .ptx
/// .cubin .exe. A library or an object comes with a C header beside it. Host
/// code is for the processors that the program was compiled for. Returns 1, or
/// 0 after an error.
HETERO_EXPORT int32_t heteroSaveProgram(HeteroProgram *program,
                                        const char *path, char **diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_C_COMPILER_H */
