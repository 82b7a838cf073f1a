//===- HeteroLibraries.h - Libraries that compiled code calls -----*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a library registers itself with, so that programs can call it by
// hetero.library_call, and what compiled code calls libraries by
// (docs/Extending.md, docs/Design/Libraries.md).
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_HETEROLIBRARIES_H
#define HETERO_RUNTIME_HETEROLIBRARIES_H

#include "hetero/Runtime/HeteroRuntime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A call of a library that somebody has registered, by hetero.library_call.
typedef struct HeteroLibraryCall {
  const char *function;
  /* As heteroCallLibrary has them: inputs, then results. */
  const HeteroValue *values;
  int32_t count;
  int32_t accumulate;
  const int64_t *parameters;
  int32_t numParameters;
  int32_t device; /* HETERO_HOST, or N: the values are in the memory of gpu:N */
  void *stream;   /* for gpu:N the CUstream that gets the work, else NULL */
} HeteroLibraryCall;

/// Computes, or for a device enqueues and waits for nothing; its context is
/// current then. Checks functions, counts and types itself. Any status but
/// HETERO_OK fails the program's call.
typedef HeteroStatus (*HeteroLibraryFunction)(const HeteroLibraryCall *call);

/// From now on programs can call the library by this name, which must be none
/// of the runtime's own, on the host or with `isOnDevice` on devices. Another
/// registration replaces the one before, and one with NULL takes it back; no
/// program that calls the library may be running.
HETERO_EXPORT HeteroStatus heteroRegisterLibrary(const char *name,
                                                 HeteroLibraryFunction call,
                                                 int32_t isOnDevice);

/// Sets `found` to 1 if the library can be called, else to 0. HETERO_LIBRARIES
/// says where libraries are: "openblas=/opt/lib/libopenblas.so.0", or
/// "openblas=off"; a file of another name is loaded when that is asked for, and
/// registers itself. Why one was not found is in the report.
HETERO_EXPORT HeteroStatus heteroHasLibrary(const char *library,
                                            int32_t *found);

/// Calls a function of a library on values in the memory of the host, inputs
/// first, and waits for it. What it computes goes to the last value, or with
/// `accumulate` is added to what is there. Of the values only data, type, rank,
/// sizes and strides count, in the function's order of the dimensions; one of
/// size 1 may stand for all sizes of a batch. `parameters` are numbers that the
/// function needs.
///
///   "gemm": (batch..., m, k), (batch..., k, n), (batch..., m, n),
///           all of HETERO_TYPE_F32 or, of openblas, HETERO_TYPE_F64
///   "convolution" of onednn: (image, channel, rows...), the filter (filter,
///           channel, taps...), maybe a bias of one element per filter at the
///           second dimension, (image, filter, rows...), of HETERO_TYPE_F32.
///           Parameters: 1 for a filter of one channel for each channel, else
///           0; 1 for ReLU at the end, else 0; strides, dilations and the
///           padding before the first row, one for each dimension of the image
///
/// `state` is null, or a pointer of the program's own, null at first, that says
/// that the second value never changes: a library may keep it in another form
/// until heteroForget is told of the pointer.
HETERO_EXPORT HeteroStatus heteroCallLibrary(
    const char *library, const char *function, const HeteroValue *values,
    int32_t count, int32_t accumulate, const int64_t *parameters,
    int32_t numParameters, void **state);

/// The same on values in the memory of a device, by cublas or cudnn: enqueues
/// the work on the stream of `unit` (HETERO_UNIT), and returns. It counts as a
/// kernel of the name `label`, of errors, the report, profiles and traces.
///
///   "gemm" of cublas: as above, of HETERO_TYPE_F16, BF16, F32 or F64, of the
///           first two also with a result of HETERO_TYPE_F32; sums of f16 and
///           bf16 are f32. Rows or columns must be without gaps. Parameters: 1
///           if f32 may be rounded to tf32, else 0.
///   "convolution" of cudnn: as above, all of one of these types. The second
///           parameter has 2 added where f32 may be rounded to tf32.
HETERO_EXPORT HeteroStatus heteroCallDeviceLibrary(
    int32_t unit, const char *label, const char *library, const char *function,
    const HeteroValue *values, int32_t count, int32_t accumulate,
    const int64_t *parameters, int32_t numParameters, void **state);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_RUNTIME_HETEROLIBRARIES_H */
