//===- Launches.cpp - Launches, order, waits and goodbyes -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Libraries/OneDNNConvolution.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <string>

using namespace hetero::runtime;

HeteroStatus heteroLaunchAs(int32_t id, const HeteroImage *image,
                            const char *kernel, int64_t gridX, int64_t gridY,
                            int64_t gridZ, int64_t blockX, int64_t blockY,
                            int64_t blockZ, int64_t sharedBytes,
                            void **arguments, int32_t, const char *label) {
  HostRegionPause pause;
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return HETERO_OK;
  constexpr int64_t kMostX = INT32_MAX, kMostYZ = 65535;
  if (gridX > kMostX || gridY > kMostYZ || gridZ > kMostYZ)
    return fail(HETERO_ERROR_PROGRAM,
                std::string("kernel ") + label +
                    " needs a larger grid than a device offers; use smaller "
                    "tensors");
  useInFrame(deviceOf(id));
  Device *device;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  Operation operation{Operation::Launch, device, streamOf(id), label};
  operation.launch = {nullptr,
                      {gridX, gridY, gridZ},
                      {blockX, blockY, blockZ},
                      sharedBytes,
                      arguments};
  Kernel *loaded;
  if (HeteroStatus status =
          device->getKernel(*image, kernel, operation.launch, &loaded))
    return status;
  operation.launch.kernel = loaded;
  auto launch = [&] { return submit(operation); };
  HeteroStatus status =
      isMeasuring() ? measureLaunch(deviceOf(id), label, launch) : launch();
  if (status == HETERO_OK)
    countLaunch(deviceOf(id), label);
  return status;
}

HeteroStatus heteroLaunch(int32_t id, const HeteroImage *image,
                          const char *kernel, int64_t gridX, int64_t gridY,
                          int64_t gridZ, int64_t blockX, int64_t blockY,
                          int64_t blockZ, int64_t sharedBytes, void **arguments,
                          int32_t numArguments) {
  return heteroLaunchAs(id, image, kernel, gridX, gridY, gridZ, blockX, blockY,
                        blockZ, sharedBytes, arguments, numArguments, kernel);
}

HeteroStatus heteroOrder(int32_t id, int32_t after) {
  HostRegionPause pause;
  Device *device, *other;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  if (HeteroStatus status = getDevice(deviceOf(after), &other))
    return status;
  return submit(orderOf(*device, streamOf(id), *other, streamOf(after)));
}

HeteroStatus heteroWait(int32_t device) {
  HostRegionPause pause;
  return device == HETERO_HOST ? HETERO_OK : waitForDevice(deviceOf(device));
}

HeteroStatus heteroWaitUnit(int32_t unit) {
  HostRegionPause pause;
  return unit == HETERO_HOST ? HETERO_OK
                             : waitForUnit(deviceOf(unit), streamOf(unit));
}

HeteroStatus heteroForget(const void *data, int64_t bytes) {
  forgetLibraryState(data, bytes);
  forgetOnDevices(data, bytes);
  return HETERO_OK;
}
