//===- HeteroRuntime.h - C ABI of compiled hetero programs --------*- C -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole binary interface between a compiled program, libhetero_runtime and
// the caller of the program. Two groups of functions:
//
//  * what a caller uses: values, the report, the device map, reset;
//  * what compiled code calls: memory, copies, launches, waits, parallel loops.
//
// Every function that can fail returns a HeteroStatus. The text that belongs to
// the last failure of the calling thread is heteroLastError(). Nothing in here
// throws, aborts, or exits.
//
// A device is an int32_t: HETERO_HOST, or N >= 0 for gpu:N.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_HETERORUNTIME_H
#define HETERO_RUNTIME_HETERORUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HETERO_EXPORT __attribute__((visibility("default")))
#else
#define HETERO_EXPORT
#endif

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Result of a call: HETERO_OK or one of the errors below.
typedef int32_t HeteroStatus;

enum {
  HETERO_OK = 0,
  /// An argument's type, rank, size or device is not what the entry point
  /// takes.
  HETERO_ERROR_INVALID_ARGUMENT = 1,
  /// A device (or the host) has not enough memory left.
  HETERO_ERROR_OUT_OF_MEMORY = 2,
  /// No CUDA driver could be loaded.
  HETERO_ERROR_NO_DRIVER = 3,
  /// The driver has no device with the ordinal asked for.
  HETERO_ERROR_NO_DEVICE = 4,
  /// A driver call failed for another reason.
  HETERO_ERROR_DRIVER = 5,
  /// The device's code could not be loaded or lacks a kernel.
  HETERO_ERROR_MODULE = 6,
  /// A kernel failed while it ran (an illegal address, for example).
  HETERO_ERROR_LAUNCH = 7,
  /// The device is lost; heteroReset() is needed before the next program.
  HETERO_ERROR_DEVICE_LOST = 8,
  /// An invariant of the compiled program does not hold (a size mismatch found
  /// at run time, an index out of bounds).
  HETERO_ERROR_PROGRAM = 9,
  /// Another rank of a program over several nodes does not answer or has failed
  /// (HeteroNodes.h).
  HETERO_ERROR_NODES = 10
};

/// Levels of processors that compiled code tells apart. Each has the
/// instructions of those before it.
enum {
  /// What every processor of the architecture has.
  HETERO_CPU_BASELINE = 0,
  /// x86-64-v3: AVX2, FMA and F16C.
  HETERO_CPU_AVX2 = 1,
  /// x86-64-v4: AVX-512 F, BW, CD, DQ and VL.
  HETERO_CPU_AVX512 = 2,
  /// That, AVX512_BF16 and AVX512_VNNI: products of bf16 and of i8.
  HETERO_CPU_AVX512_BF16 = 3
};

/// The host's device id; gpu:N has id N.
#define HETERO_HOST ((int32_t)-1)

/// Where an allocation may be, too: memory that the host, gpu:N and all others
/// address. It counts as the host's, and whoever frees it has waited for the
/// work that uses it.
#define HETERO_SHARED(gpu) (-2 - (gpu))

/// Largest rank of a tensor that crosses the ABI.
#define HETERO_MAX_RANK 16

/// Stands for "any size" in heteroCheckArgument.
#define HETERO_DYNAMIC INT64_MIN

/// Element type of a value.
enum {
  HETERO_TYPE_I1 = 0, /* one byte per element, 0 or 1 */
  HETERO_TYPE_I8 = 1,
  HETERO_TYPE_I16 = 2,
  HETERO_TYPE_I32 = 3,
  HETERO_TYPE_I64 = 4,
  HETERO_TYPE_F16 = 5,
  HETERO_TYPE_BF16 = 6,
  HETERO_TYPE_F32 = 7,
  HETERO_TYPE_F64 = 8,
  HETERO_TYPE_INDEX = 9, /* int64_t */
  HETERO_TYPE_SI8 = 10,
  HETERO_TYPE_SI16 = 11,
  HETERO_TYPE_SI32 = 12,
  HETERO_TYPE_SI64 = 13,
  HETERO_TYPE_UI8 = 14,
  HETERO_TYPE_UI16 = 15,
  HETERO_TYPE_UI32 = 16,
  HETERO_TYPE_UI64 = 17,
  HETERO_TYPE_F8E4M3FN = 18,    /* 4 bits of exponent, no infinities */
  HETERO_TYPE_F8E5M2 = 19,      /* 5 bits of exponent, as IEEE has it */
  HETERO_TYPE_COMPLEX_F16 = 20, /* two f16, the real part first */
  HETERO_TYPE_COMPLEX_F32 = 21,
  HETERO_TYPE_COMPLEX_F64 = 22
};

/// What is known of each element type, in the order of the numbers: the end of
/// its constant's name, its name in MLIR, its bytes, its class, its name in
/// NumPy (which has no bf16, f8 or complex<f16>: they are void of their size,
/// as ml_dtypes writes them), and of a complex type the type of its parts, else
/// its own. Classes: Signless (integers whose sign is a matter of the
/// operations on them), Signed, Unsigned, Float, Complex.
#define HETERO_ELEMENT_TYPES(TYPE)                                             \
  TYPE(I1, "i1", 1, Signless, "|b1", I1)                                       \
  TYPE(I8, "i8", 1, Signless, "|i1", I8)                                       \
  TYPE(I16, "i16", 2, Signless, "<i2", I16)                                    \
  TYPE(I32, "i32", 4, Signless, "<i4", I32)                                    \
  TYPE(I64, "i64", 8, Signless, "<i8", I64)                                    \
  TYPE(F16, "f16", 2, Float, "<f2", F16)                                       \
  TYPE(BF16, "bf16", 2, Float, "<V2", BF16)                                    \
  TYPE(F32, "f32", 4, Float, "<f4", F32)                                       \
  TYPE(F64, "f64", 8, Float, "<f8", F64)                                       \
  TYPE(INDEX, "index", 8, Signless, "<i8", INDEX)                              \
  TYPE(SI8, "si8", 1, Signed, "|i1", SI8)                                      \
  TYPE(SI16, "si16", 2, Signed, "<i2", SI16)                                   \
  TYPE(SI32, "si32", 4, Signed, "<i4", SI32)                                   \
  TYPE(SI64, "si64", 8, Signed, "<i8", SI64)                                   \
  TYPE(UI8, "ui8", 1, Unsigned, "|u1", UI8)                                    \
  TYPE(UI16, "ui16", 2, Unsigned, "<u2", UI16)                                 \
  TYPE(UI32, "ui32", 4, Unsigned, "<u4", UI32)                                 \
  TYPE(UI64, "ui64", 8, Unsigned, "<u8", UI64)                                 \
  TYPE(F8E4M3FN, "f8E4M3FN", 1, Float, "<V1", F8E4M3FN)                        \
  TYPE(F8E5M2, "f8E5M2", 1, Float, "<V1", F8E5M2)                              \
  TYPE(COMPLEX_F16, "complex<f16>", 4, Complex, "<V4", F16)                    \
  TYPE(COMPLEX_F32, "complex<f32>", 8, Complex, "<c8", F32)                    \
  TYPE(COMPLEX_F64, "complex<f64>", 16, Complex, "<c16", F64)

/// `rank` of a value that is a scalar, not a tensor of rank 0.
#define HETERO_SCALAR ((int32_t)-1)

/// A tensor or scalar that crosses an entry point. Sizes and strides count
/// elements. Arguments are owned by the caller, must be contiguous (row-major)
/// and stay valid for the call; only a donated one (hetero.donated) goes over
/// to the callee, whether the call succeeds or fails after the checks of its
/// arguments: it owns its `allocation`, and is cleared. Results are filled in
/// by the callee; each tensor result owns `allocation`, which
/// heteroReleaseValue() frees.
typedef struct HeteroValue {
  void *data;       /* first element: host address, or address on `device` */
  void *allocation; /* what heteroReleaseValue frees, or NULL: caller-owned */
  uint64_t scalar;  /* bits of a scalar (rank == HETERO_SCALAR), zero-extended;
                       the imaginary part of a complex<f64> is in sizes[0] */
  int32_t type;     /* HETERO_TYPE_* */
  int32_t rank;     /* 0..HETERO_MAX_RANK, or HETERO_SCALAR */
  int32_t device;   /* HETERO_HOST or N for gpu:N */
  int32_t reserved; /* 0 */
  int64_t sizes[HETERO_MAX_RANK];
  int64_t strides[HETERO_MAX_RANK];
} HeteroValue;

/// Type of every entry point of a compiled program. `arguments` and `results`
/// are arrays of the entry point's number of arguments and results, both
/// passed so that a mismatch is an error and not a crash.
typedef HeteroStatus (*HeteroEntryPoint)(const HeteroValue *arguments,
                                         int32_t numArguments,
                                         HeteroValue *results,
                                         int32_t numResults);

/// Type of one argument or result; static data of a program.
typedef struct HeteroSignatureValue {
  int32_t type;         /* HETERO_TYPE_* */
  int32_t rank;         /* or HETERO_SCALAR */
  int32_t device;       /* as heteroAllocateValue takes it */
  int32_t donated;      /* 1: the call takes the value over */
  const int64_t *sizes; /* rank sizes; HETERO_DYNAMIC: any */
} HeteroSignatureValue;

/// One entry point of a program; static data of a program.
typedef struct HeteroProgramEntry {
  const char *name;
  HeteroEntryPoint function;
  int64_t numArguments;
  const HeteroSignatureValue *arguments;
  int64_t numResults;
  const HeteroSignatureValue *results;
} HeteroProgramEntry;

/// What a library or an executable of hetero-compile has as the symbol
/// `heteroProgramTable`: its entry points in the order of the source.
typedef struct HeteroProgramTable {
  int64_t numEntries;
  const HeteroProgramEntry *entries;
} HeteroProgramTable;

/// `numArguments` for an entry point that shall only put on its devices what
/// its calls need there: heteroInitialize().
#define HETERO_INITIALIZE ((int32_t)-1)

typedef enum HeteroCodeFormat {
  HETERO_CODE_PTX,  /* text; the driver compiles it */
  HETERO_CODE_CUBIN /* binary */
} HeteroCodeFormat;

/// Which chips run code that was made for another one. Binaries run on those
/// with the same major number of the compute capability at most.
typedef enum HeteroCodeReach {
  HETERO_REACH_LATER, /* all later ones: sm_90 */
  HETERO_REACH_MAJOR, /* later ones with the same major number: sm_100f */
  HETERO_REACH_SAME   /* none: sm_90a */
} HeteroCodeReach;

/// Device code for one chip, static data of the compiled program.
typedef struct HeteroCode {
  const void *bytes; /* PTX ends with a zero, which counts */
  int64_t size;
  int32_t format; /* HeteroCodeFormat */
  int32_t major;  /* of the compute capability that it is for */
  int32_t minor;
  int32_t reach; /* HeteroCodeReach */
} HeteroCode;

/// Device code of one gpu module for one or several chips, static data of the
/// compiled program. A device takes the latest that it runs, and of one chip
/// the binary. `hash` is one of the code: another program may come to be at
/// this address.
typedef struct HeteroImage {
  const char *name;
  const HeteroCode *codes;
  int64_t count;
  uint64_t hash;
} HeteroImage;

/// A constant that compiled code reads on a device, static data of the program.
/// All is constant but what the runtime fills in.
typedef struct HeteroConstant {
  const void *host;
  int64_t bytes;
  const char *name;
  int32_t device;
  int32_t reserved; /* 0 */
  void *address;    /* on the device; filled in */
  int64_t epoch;    /* 0; filled in */
} HeteroConstant;

/// The constants that an entry point may need; entry points share constants.
typedef struct HeteroConstants {
  const char *entry;
  HeteroConstant *const *constants;
  int64_t count;
  int64_t epoch; /* 0; filled in */
} HeteroConstants;

/// What a program keeps from call to call: at `host`, or on the device of
/// `resident`, to which its first value comes from `host`, or at `fallback`
/// where one of `devices` is missing. Static data of the program.
typedef struct HeteroState {
  const char *name;
  int32_t type, rank; /* HETERO_TYPE_*, 0..HETERO_MAX_RANK */
  const int64_t *sizes;
  void *host, *fallback;
  HeteroConstant *resident;
  int64_t numDevices;
  const int32_t *devices;
} HeteroState;

/// The symbol `heteroProgramStates` of a program with state.
typedef struct HeteroStateTable {
  int64_t numStates;
  const HeteroState *states;
} HeteroStateTable;

/// The program of one node; static data of a program over several.
typedef struct HeteroNodeProgram {
  HeteroProgramTable program;
  const HeteroStateTable *states; /* or NULL */
  int32_t numGPUs;                /* that the node has in the topology */
  int32_t reserved;               /* 0 */
} HeteroNodeProgram;

/// What a library or an executable for several nodes has besides, as the symbol
/// `heteroProgramNodes`; `heteroProgramTable` is that of node 0. A rank calls
/// its own entry points only: those of nodes besides 0 have no arguments and no
/// results. `hash` is for heteroJoinNodes (HeteroNodes.h).
typedef struct HeteroNodeTable {
  int64_t numNodes;
  uint64_t hash;
  const HeteroNodeProgram *programs;
} HeteroNodeTable;

//===----------------------------------------------------------------------===//
// For the caller of a compiled program
//===----------------------------------------------------------------------===//

/// Text of the calling thread's last failure: what failed, where, and what to
/// do. Empty when nothing failed. Valid until the thread's next hetero call.
HETERO_EXPORT const char *heteroLastError(void);

/// Frees the allocation of a result and clears the value. Does nothing to a
/// caller-owned value.
HETERO_EXPORT HeteroStatus heteroReleaseValue(HeteroValue *value);

/// Allocates memory for a value on `device` that the caller owns (an argument
/// that lives on a gpu, for example); freed by heteroReleaseValue. A value in
/// HETERO_SHARED memory is one of the host.
HETERO_EXPORT HeteroStatus heteroAllocateValue(HeteroValue *value,
                                               int32_t device);

/// Copies the data of a value of the same type and sizes between devices and
/// waits until it is done.
HETERO_EXPORT HeteroStatus heteroCopyValue(HeteroValue *destination,
                                           const HeteroValue *source);

/// Puts the constants that the entry point's calls need on their devices, once:
/// what is there already, through another entry point or a call, stays. A call
/// does it as well if nobody did before. All of them are there, or none.
HETERO_EXPORT HeteroStatus heteroInitialize(HeteroEntryPoint entry);

/// Copies state to a value of the same type and sizes that the caller has; or
/// from one. No call that uses the state may be running.
HETERO_EXPORT HeteroStatus heteroReadState(const HeteroState *state,
                                           HeteroValue *value);
HETERO_EXPORT HeteroStatus heteroWriteState(const HeteroState *state,
                                            const HeteroValue *value);

/// Maps the program's devices to the machine's: "gpu:1=gpu:0,gpu:0=gpu:3".
/// Also read once from HETERO_DEVICE_MAP. NULL or "" restores the identity.
HETERO_EXPORT HeteroStatus heteroSetDeviceMap(const char *map);

/// Number of gpus that the driver offers.
HETERO_EXPORT HeteroStatus heteroDeviceCount(int32_t *count);

/// Number of gpus that the machine has, 0 if none: those of the driver that
/// HETERO_CUDA_DRIVER names. The emulator's count only where it is named, not
/// where it would stand in for a driver.
HETERO_EXPORT int32_t heteroMachineDeviceCount(void);

/// The runtime's counters since the start or the last heteroResetReport as a
/// JSON object; free with heteroFreeString:
///   {"copies": [{"value": "%b of @main", "from": "cpu:0", "to": "gpu:0",
///                "bytes": 140, "count": 1}],
///    "resident": [{"value": "weights", "device": "gpu:0", "bytes": 96}],
///    "devices": [{"device": "cpu:0", "peak_bytes": 420,
///                 "regions": [{"name": "main_cpu0_0", "count": 1}]},
///                {"device": "gpu:0", "peak_bytes": 420,
///                 "kernels": [{"name": "main_gpu0_1", "count": 1}]}],
///    "fallbacks": [{"entry": "main", "missing": "gpu:0", "count": 1}],
///    "libraries": [{"name": "blas", "path": "libblas.so.3", "calls": 3}]}
/// One entry per value and pair of devices, `bytes` of all `count` copies
/// together; devices are the program's, before the device map. Of calls with a
/// trace copies have `seconds`, those of all of them, and devices
/// `busy_seconds` of their work and `wait_seconds` of the host's waits. What
/// was measured has more: see heteroMeasure.
HETERO_EXPORT char *heteroReport(void);
HETERO_EXPORT void heteroResetReport(void);

HETERO_EXPORT void heteroFreeString(char *string);

#include "hetero/Runtime/Measure.h"

/// Destroys every context, module and resident constant, forgets errors, lost
/// devices and values on gpus, whose memory is gone: release those before. No
/// entry point may be running.
HETERO_EXPORT HeteroStatus heteroReset(void);

//===----------------------------------------------------------------------===//
// For compiled code. All calls work on the calling thread's current frame: the
// record of what one call of an entry point holds.
//===----------------------------------------------------------------------===//

/// Opens a frame. `entry` names the entry point in messages. Frames nest.
HETERO_EXPORT HeteroStatus heteroFrameBegin(const char *entry);

/// Closes the frame: waits for the devices that it used, frees what it still
/// holds, and returns `status`, or the failure of that wait when it was
/// HETERO_OK.
HETERO_EXPORT HeteroStatus heteroFrameEnd(HeteroStatus status);

/// Waits until no other thread's call holds `lock`, and holds it in the frame.
HETERO_EXPORT HeteroStatus heteroHoldState(const void *lock);

/// Checks one argument of an entry point: type, rank, each size that is not
/// HETERO_DYNAMIC, device, contiguity, and that data is not NULL unless empty.
/// Rank HETERO_SCALAR asks for a scalar.
HETERO_EXPORT HeteroStatus heteroCheckArgument(const HeteroValue *value,
                                               int32_t index, int32_t type,
                                               int32_t rank,
                                               const int64_t *sizes,
                                               int32_t device);

/// The best of the levels (bit 1 << HETERO_CPU_*) that a program has code for
/// and that the processor has, and HETERO_CPU allows. Fails if there is none.
HETERO_EXPORT HeteroStatus heteroChooseProcessor(int32_t levels,
                                                 int32_t *level);

/// Whether one of the devices is missing, so that the entry point's variant on
/// the host stands in; the report says so of calls, but not of
/// HETERO_INITIALIZE as the number of arguments. A driver that cannot be used
/// has no devices.
HETERO_EXPORT int32_t heteroLacksDevice(const char *entry,
                                        const int32_t *devices, int32_t count,
                                        int32_t numArguments);

/// Checks numArguments and numResults of an entry point.
HETERO_EXPORT HeteroStatus heteroCheckCounts(int32_t gotArguments,
                                             int32_t wantArguments,
                                             int32_t gotResults,
                                             int32_t wantResults);

/// Takes the memory of a donated argument into the frame and clears the
/// caller's value. Fails, and leaves the value alone, if it does not own memory
/// of the runtime or shares that with another argument.
HETERO_EXPORT HeteroStatus heteroDonate(const HeteroValue *arguments,
                                        int32_t count, int32_t index);

/// The address at which the program finds an argument that the host shares with
/// a gpu: that of the value if it is in HETERO_SHARED memory, or if the gpu
/// addresses all memory; else that of a copy that the frame holds, which the
/// report has under `name`.
HETERO_EXPORT HeteroStatus heteroShareArgument(const HeteroValue *value,
                                               int32_t gpu, const char *name,
                                               void **pointer);

/// Allocates `bytes` (0 allowed) on a device with at least `alignment`; the
/// frame holds it until heteroFree, heteroDetach, or the frame's end.
HETERO_EXPORT HeteroStatus heteroAlloc(int32_t device, int64_t bytes,
                                       int64_t alignment, void **pointer);

/// Frees in stream order: work already enqueued on the device may still use it.
HETERO_EXPORT HeteroStatus heteroFree(int32_t device, void *pointer);

/// Takes an allocation out of the frame, because it leaves the entry point as
/// a result; heteroReleaseValue frees it later.
HETERO_EXPORT HeteroStatus heteroDetach(int32_t device, void *pointer);

/// heteroDetach for results[index], all fields of which but `allocation` are
/// filled in. Where an earlier result has the same allocation, the value gets a
/// copy of its own, so that the caller releases each once.
HETERO_EXPORT HeteroStatus heteroDetachResult(HeteroValue *results,
                                              int32_t index, void *allocation);

/// A device and one of its units, for heteroCopy, heteroLaunch and heteroOrder.
/// Units have a stream each; unit 0 is that of work without a unit.
#define HETERO_UNIT(device, unit) ((device) | ((unit) << 16))

/// Enqueues a copy of `bytes` contiguous bytes. Host sources are read before
/// the call returns (staged); host destinations are complete after the next
/// heteroWait on the source device, or heteroWaitUnit on its unit. Between gpus
/// the copy is ordered after the work of both streams. `name` is the value's
/// name in the report.
HETERO_EXPORT HeteroStatus heteroCopy(int32_t toDevice, void *to,
                                      int32_t fromDevice, const void *from,
                                      int64_t bytes, const char *name);

/// heteroCopy for `rows` times `width` bytes: on either side a row starts
/// `pitch` bytes after the one before. Only the rows cross, in one transfer
/// where one side is the host's.
HETERO_EXPORT HeteroStatus heteroCopyRows(int32_t toDevice, void *to,
                                          int64_t toPitch, int32_t fromDevice,
                                          const void *from, int64_t fromPitch,
                                          int64_t width, int64_t rows,
                                          const char *name);

/// Enqueues a kernel on the stream of the device or of its unit. `arguments`
/// points to `numArguments` pointers to the arguments, as cuLaunchKernel takes
/// them. A grid with a zero dimension does nothing.
HETERO_EXPORT HeteroStatus heteroLaunch(int32_t device,
                                        const HeteroImage *image,
                                        const char *kernel, int64_t gridX,
                                        int64_t gridY, int64_t gridZ,
                                        int64_t blockX, int64_t blockY,
                                        int64_t blockZ, int64_t sharedBytes,
                                        void **arguments, int32_t numArguments);

/// The same under another name in errors, reports, profiles and traces: one
/// kernel stands for equal ones.
HETERO_EXPORT HeteroStatus
heteroLaunchAs(int32_t device, const HeteroImage *image, const char *kernel,
               int64_t gridX, int64_t gridY, int64_t gridZ, int64_t blockX,
               int64_t blockY, int64_t blockZ, int64_t sharedBytes,
               void **arguments, int32_t numArguments, const char *label);

enum { HETERO_TENSOR_MAP_BYTES = 128, HETERO_TENSOR_MAP_ALIGNMENT = 64 };

/// Writes a CUtensorMap, of HETERO_TENSOR_MAP_BYTES bytes at a multiple of
/// HETERO_TENSOR_MAP_ALIGNMENT, for boxes of elements of HETERO_TYPE_* that a
/// kernel copies. The first of `rank` dimensions is the inner one, whose
/// elements are neighbours at `address`; `strides` are those of the others, in
/// bytes. Rows of a box have `span` bytes in shared memory, 32, 64 or 128,
/// whose chunks of 16 bytes are swizzled. Elements beyond the tensor are zero.
HETERO_EXPORT HeteroStatus heteroTensorMap(void *map, int32_t type,
                                           int32_t rank, void *address,
                                           const int64_t *sizes,
                                           const int64_t *strides,
                                           const int64_t *box, int32_t span);

/// What is enqueued on the first unit from now on runs after all that has been
/// enqueued on the second. The host does not wait.
HETERO_EXPORT HeteroStatus heteroOrder(int32_t device, int32_t after);

/// Waits until everything enqueued on the device is done; reports what failed
/// in it.
HETERO_EXPORT HeteroStatus heteroWait(int32_t device);

/// Waits until everything enqueued on the unit is done, copies of its stream to
/// the host among it; other units of the device go on.
HETERO_EXPORT HeteroStatus heteroWaitUnit(int32_t unit);

/// Uploads the constants that are not on their devices yet, waits for that, and
/// fills in their addresses. Needs no frame.
HETERO_EXPORT HeteroStatus heteroUpload(HeteroConstants *constants);

/// Forgets the images (HeteroImage), constants (HeteroConstant) and states of
/// libraries (heteroCallLibrary) that lie in [data, data + bytes): unloads
/// their modules and frees their memory on every device. A compiled program
/// calls it when it is unloaded, because another program may then be loaded at
/// the same addresses.
HETERO_EXPORT HeteroStatus heteroForget(const void *data, int64_t bytes);

/// Runs body(closure, begin, end) over [0, count) in contiguous chunks of at
/// least `grain` iterations on the runtime's threads (HETERO_NUM_THREADS, else
/// the number of cores; nested calls run serially). Returns the status of the
/// first chunk (in iteration order) that failed.
typedef HeteroStatus (*HeteroLoopBody)(void *closure, int64_t begin,
                                       int64_t end);
HETERO_EXPORT HeteroStatus heteroParallelFor(int64_t count, int64_t grain,
                                             HeteroLoopBody body,
                                             void *closure);

/// Whether the runtime may make graphs of what it gives to devices, and launch
/// them; it may at first, where HETERO_GRAPHS and the driver let it.
HETERO_EXPORT HeteroStatus heteroUseGraphs(int32_t enabled);

/// Counts one execution of a host region for the report, and begins it: it
/// lasts until heteroHostRegionEnd, less what calls of the runtime that start,
/// copy, order or wait for something take meanwhile.
HETERO_EXPORT HeteroStatus heteroHostRegion(const char *name);
HETERO_EXPORT HeteroStatus heteroHostRegionEnd(void);
/// Names the operations of the source, a line each, that the thread works for.
HETERO_EXPORT HeteroStatus heteroNode(const char *names);

/// Fails with HETERO_ERROR_PROGRAM and `message` unless `condition`.
HETERO_EXPORT HeteroStatus heteroAssert(int32_t condition, const char *message);

#ifdef __cplusplus
}
#endif

#endif /* HETERO_RUNTIME_HETERORUNTIME_H */
