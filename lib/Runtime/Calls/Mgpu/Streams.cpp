//===- Streams.cpp - Streams and events of gpu-to-llvm --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Calls/Mgpu/MgpuDriver.h"

using namespace hetero::runtime;
using namespace hetero::runtime::mgpu;
using namespace hetero;

HETERO_MGPU cuda::Stream mgpuStreamCreate() {
  const Driver *driver = enter();
  cuda::Stream stream = nullptr;
  if (driver)
    check(*driver,
          driver->functions.streamCreate(&stream, cuda::kStreamNonBlocking),
          "cuStreamCreate");
  if (stream)
    streams().add(stream);
  return stream;
}

HETERO_MGPU void mgpuStreamDestroy(cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.streamDestroy(stream),
            "cuStreamDestroy");
  streams().remove(stream);
}

HETERO_MGPU void mgpuStreamSynchronize(cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.streamSynchronize(stream),
            "cuStreamSynchronize");
}

HETERO_MGPU void mgpuStreamWaitEvent(cuda::Stream stream, cuda::Event event) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.streamWaitEvent(stream, event, 0),
            "cuStreamWaitEvent");
}

HETERO_MGPU cuda::Event mgpuEventCreate() {
  const Driver *driver = enter();
  cuda::Event event = nullptr;
  if (driver)
    check(*driver,
          driver->functions.eventCreate(&event, cuda::kEventDisableTiming),
          "cuEventCreate");
  return event;
}

HETERO_MGPU void mgpuEventDestroy(cuda::Event event) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.eventDestroy(event), "cuEventDestroy");
}

HETERO_MGPU void mgpuEventSynchronize(cuda::Event event) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.eventSynchronize(event),
          "cuEventSynchronize");
}

HETERO_MGPU void mgpuEventRecord(cuda::Event event, cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver, driver->functions.eventRecord(event, stream),
            "cuEventRecord");
}
