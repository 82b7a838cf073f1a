//===- AttributesTest.cpp - Attributes of devices and functions -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <cuda_occupancy.h>

#include <climits>
#include <cstdlib>
#include <string>

/// Before the driver is there.
static const int configured =
    setenv("HETERO_EMULATOR", "devices=5,cc=9.0/8.0/8.6/7.5/6.1", 1);
static constexpr int k80 = 1, k86 = 2, kLastDevice = 4;

static constexpr char kAttributesPTX[] = R"(
.version 6.4
.target sm_60
.address_size 64
.const .align 4 .u32 table[8] = {5};
.const .align 1 .b8 byte;
.const .align 8 .u64 wide;
.visible .global .attribute(.managed) .align 4 .u32 managed = 41;
.visible .entry shares()
{
  .shared .align 4 .b8 block[40960];
  .local .align 4 .b8 own[64];
  st.shared.u32 [block], 1;
  st.local.u32 [own], 1;
  ret;
}
.visible .entry increments()
{
  .reg .u32 %r<2>;
  ld.global.u32 %r1, [managed];
  add.u32 %r1, %r1, 1;
  st.global.u32 [managed], %r1;
  ret;
}
)";

namespace {
class AttributesTest : public DriverAPITest {
protected:
  /// A kernel on a device, whose primary context becomes the current one.
  CUfunction kernelOn(CUdevice device, const char *name) {
    CUcontext context = nullptr;
    EXPECT_OK(cuDevicePrimaryCtxRetain(&context, device));
    EXPECT_OK(cuCtxSetCurrent(context));
    used.push_back(device);
    CUfunction function = nullptr;
    EXPECT_OK(cuModuleLoadData(&module, kAttributesPTX));
    EXPECT_OK(cuModuleGetFunction(&function, module, name));
    return function;
  }
  void TearDown() override {
    for (CUdevice device : used)
      EXPECT_OK(cuDevicePrimaryCtxRelease(device));
    DriverAPITest::TearDown();
  }
  static int get(CUdevice_attribute attribute, CUdevice device) {
    int value = -1;
    EXPECT_OK(cuDeviceGetAttribute(&value, attribute, device));
    return value;
  }
  static int get(CUfunction_attribute attribute, CUfunction function) {
    int value = -1;
    EXPECT_OK(cuFuncGetAttribute(&value, attribute, function));
    return value;
  }
  static CUresult launch(CUfunction function, unsigned sharedBytes) {
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, sharedBytes, nullptr,
                          nullptr, nullptr);
  }

  CUmodule module = nullptr;
  std::vector<CUdevice> used;
};
} // namespace

// Attributes of a function are those of its PTX, not of the device.
TEST_F(AttributesTest, FunctionsKnowTheirModule) {
  CUfunction function = kernelOn(k80, "shares");
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION, function), 60);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_BINARY_VERSION, function), 80);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function), 48);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function), 40960);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function),
            8192);
  EXPECT_GE(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function), 64);
}

// Shared memory is limited as the capability says, and to 48 KiB without
// opt-in.
TEST_F(AttributesTest, SharedMemoryHasTheLimitsOfTheCapability) {
  CUfunction function = kernelOn(k80, "shares");
  EXPECT_EQ(launch(function, 20480), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(launch(function, 8192));
  auto attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_OK(cuFuncSetAttribute(function, attribute, 166912 - 40960));
  EXPECT_EQ(get(attribute, function), 166912 - 40960);
  EXPECT_OK(launch(function, 166912 - 40960));
  EXPECT_EQ(cuFuncSetAttribute(function, attribute, 166912 - 40960 + 1),
            CUDA_ERROR_INVALID_VALUE);
  function = kernelOn(k86, "shares");
  EXPECT_EQ(cuFuncSetAttribute(function, attribute, 101376 - 40960 + 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, k86),
            101376);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, k86), 1536);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, k86), 16);
}

static cudaOccDeviceProp propertiesOf(CUdevice device) {
  auto get = [&](CUdevice_attribute attribute) {
    int value = 0;
    EXPECT_OK(cuDeviceGetAttribute(&value, attribute, device));
    return value;
  };
  cudaOccDeviceProp result;
  result.computeMajor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  result.computeMinor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  result.maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  result.maxThreadsPerMultiprocessor =
      get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  result.regsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  result.regsPerMultiprocessor =
      get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  result.numSms = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  result.warpSize = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  result.sharedMemPerBlock =
      get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  result.sharedMemPerMultiprocessor =
      get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  result.sharedMemPerBlockOptin =
      get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  result.reservedSharedMemPerBlock =
      get(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  return result;
}

// The driver promises as many blocks as the toolkit's own header computes from
// the capability.
TEST_F(AttributesTest, OccupancyIsThatOfTheToolkit) {
  for (CUdevice device = 0; device <= kLastDevice; ++device) {
    CUfunction function = kernelOn(device, "increments");
    cudaOccDeviceProp properties = propertiesOf(device);
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = INT_MAX;
    attributes.numRegs = 1;
    attributes.maxDynamicSharedSizeBytes = 48 * 1024;
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attributes.numBlockBarriers = 1;
    cudaOccDeviceState state = {};
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    for (int threads : {1, 32, 33, 96, 256, 640, 1024})
      for (size_t shared : {0, 1, 1000, 10000, 25000, 49152, 49153}) {
        cudaOccResult expected;
        ASSERT_EQ(
            cudaOccMaxActiveBlocksPerMultiprocessor(
                &expected, &properties, &attributes, &state, threads, shared),
            CUDA_OCC_SUCCESS);
        int blocks = -1;
        EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                              threads, shared));
        EXPECT_EQ(blocks, expected.activeBlocksPerMultiprocessor)
            << "device " << device << ", " << threads << " threads, " << shared
            << " bytes";
      }
  }
}

// What was set with success is read back.
TEST_F(AttributesTest, FunctionsKeepWhatWasSet) {
  CUfunction function = kernelOn(0, "increments");
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function),
            -1);
  std::pair<CUfunction_attribute, int> settings[] = {
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1234},
      {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 1},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 1},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1},
      {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1},
      {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 2}};
  for (auto [attribute, value] : settings) {
    EXPECT_OK(cuFuncSetAttribute(function, attribute, value));
    EXPECT_EQ(get(attribute, function), value);
  }
  EXPECT_OK(launch(function, 0));
  EXPECT_EQ(
      cuFuncSetAttribute(
          function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PTX_VERSION, 80),
            CUDA_ERROR_INVALID_VALUE);
}

// A cluster of more than one block is refused wherever it can be asked for.
TEST_F(AttributesTest, NobodyGetsClusters) {
  CUfunction function = kernelOn(0, "increments");
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0), 0);
  for (CUfunction_attribute attribute :
       {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH}) {
    EXPECT_EQ(cuFuncSetAttribute(function, attribute, 2),
              CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(get(attribute, function), 0);
  }
  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config = {4, 1, 1, 32, 1, 1, 0, nullptr, &cluster, 1};
  int count = -1;
  EXPECT_EQ(cuLaunchKernelEx(&config, function, nullptr, nullptr),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuOccupancyMaxActiveClusters(&count, function, &config),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_OK(cuOccupancyMaxPotentialClusterSize(&count, function, &config));
  EXPECT_EQ(count, 1);
  CUgraph graph;
  CUgraphNode node;
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function;
  params.gridDimX = 4;
  params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  ASSERT_OK(cuGraphCreate(&graph, 0));
  ASSERT_OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  EXPECT_EQ(cuGraphKernelNodeSetAttribute(node, cluster.id, &cluster.value),
            CUDA_ERROR_NOT_SUPPORTED);
  cluster.value.clusterDim = {1, 1, 1};
  EXPECT_OK(cuLaunchKernelEx(&config, function, nullptr, nullptr));
  EXPECT_OK(cuOccupancyMaxActiveClusters(&count, function, &config));
  EXPECT_GT(count, 0);
  EXPECT_OK(cuGraphDestroy(graph));
}

// The text of a kernel may say what its clusters are; then nobody else does.
TEST_F(AttributesTest, KernelsSayTheirClusters) {
  for (int width : {1, 2}) {
    std::string text = ".version 7.8\n.target sm_90\n.address_size 64\n"
                       ".visible .entry k() .reqnctapercluster " +
                       std::to_string(width) + ", 1, 1 { ret; }\n";
    CUfunction function = nullptr;
    ASSERT_OK(cuModuleLoadData(&module, text.c_str()));
    ASSERT_OK(cuModuleGetFunction(&function, module, "k"));
    CUfunction_attribute attribute = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
    EXPECT_EQ(get(attribute, function), width);
    EXPECT_EQ(cuFuncSetAttribute(function, attribute, 1),
              CUDA_ERROR_NOT_PERMITTED);
    EXPECT_EQ(launch(function, 0),
              width == 1 ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED);
    CUlaunchConfig config = {2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, 0};
    int count = 0;
    EXPECT_EQ(cuOccupancyMaxActiveClusters(&count, function, &config),
              width == 1 ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED);
  }
}

// Attributes of later devices have no effect on earlier ones.
TEST_F(AttributesTest, EarlierDevicesIgnoreLaterAttributes) {
  CUfunction function = kernelOn(k80, "increments");
  CUlaunchAttribute attributes[4] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[0].value.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
  attributes[2].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
  attributes[3].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
  CUevent event;
  ASSERT_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  attributes[3].value.programmaticEvent.event = event;
  CUlaunchConfig config = {1, 1, 1, 32, 1, 1, 0, nullptr, attributes, 4};
  EXPECT_OK(cuLaunchKernelEx(&config, function, nullptr, nullptr));
  EXPECT_OK(cuEventSynchronize(event));
  EXPECT_OK(cuEventDestroy(event));
}

// Attributes of streams and of nodes are read back, and copied.
TEST_F(AttributesTest, StreamsAndNodesKeepWhatWasSet) {
  CUfunction function = kernelOn(0, "increments");
  CUstream stream, other;
  ASSERT_OK(cuStreamCreate(&stream, 0));
  ASSERT_OK(cuStreamCreate(&other, 0));
  CUstreamAttrValue value = {}, found = {};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
  CUstreamAttrID window = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
  EXPECT_OK(cuStreamSetAttribute(stream, window, &value));
  EXPECT_OK(cuStreamCopyAttributes(other, stream));
  EXPECT_OK(cuStreamGetAttribute(other, window, &found));
  EXPECT_EQ(found.accessPolicyWindow.num_bytes, 4096u);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT_EQ(cuStreamSetAttribute(stream, window, &value),
            CUDA_ERROR_INVALID_VALUE);
  value = {};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  EXPECT_OK(cuStreamSetAttribute(
      stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_OK(cuStreamGetAttribute(
      stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &found));
  EXPECT_EQ(found.syncPolicy, CU_SYNC_POLICY_YIELD);
  // A captured launch is a node with the attributes of the launch and those of
  // its stream.
  CUlaunchAttribute priority = {};
  priority.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  priority.value.priority = -2;
  CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, stream, &priority, 1};
  CUgraph graph;
  CUgraphNode node;
  size_t count = 1;
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_OK(cuLaunchKernelEx(&config, function, nullptr, nullptr));
  ASSERT_OK(cuStreamEndCapture(stream, &graph));
  ASSERT_OK(cuGraphGetNodes(graph, &node, &count));
  EXPECT_OK(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY,
                                          &found));
  EXPECT_EQ(found.priority, -2);
  EXPECT_OK(cuGraphKernelNodeGetAttribute(node, window, &found));
  EXPECT_EQ(found.accessPolicyWindow.num_bytes, 4096u);
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuStreamDestroy(stream));
  EXPECT_OK(cuStreamDestroy(other));
}

// Limits of contexts and attributes of allocations are read back.
TEST_F(AttributesTest, ContextsAndPointersKeepWhatWasSet) {
  size_t bytes = 0;
  EXPECT_OK(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1 << 20));
  EXPECT_OK(cuCtxGetLimit(&bytes, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
  EXPECT_EQ(bytes, size_t(1) << 20);
  EXPECT_OK(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, SIZE_MAX));
  EXPECT_OK(cuCtxGetLimit(&bytes, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
  EXPECT_EQ(bytes,
            size_t(get(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0)));
  kernelOn(3, "increments");
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1 << 20),
            CUDA_ERROR_UNSUPPORTED_LIMIT);
  CUdeviceptr memory = upload({1, 2, 3});
  for (unsigned value : {1u, 0u}) {
    unsigned found = 2;
    EXPECT_OK(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                    memory));
    EXPECT_OK(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                    memory + 4));
    EXPECT_EQ(found, value);
  }
}

// The host reads and writes a managed variable at the address that kernels use.
TEST_F(AttributesTest, HostReachesManagedVariables) {
  CUfunction function = kernelOn(k80, "increments");
  CUdeviceptr address;
  size_t bytes;
  bool isManaged = false;
  ASSERT_OK(cuModuleGetGlobal(&address, &bytes, module, "managed"));
  EXPECT_OK(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  address));
  EXPECT_TRUE(isManaged);
  EXPECT_EQ(bytes, 4u);
  auto *variable = reinterpret_cast<unsigned *>(address);
  EXPECT_EQ(*variable, 41u);
  EXPECT_OK(launch(function, 0));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(*variable, 42u);
  *variable = 6;
  EXPECT_OK(launch(function, 0));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(address, 1).front(), 7u);
  EXPECT_OK(cuModuleUnload(module));
  EXPECT_EQ(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  address),
            CUDA_ERROR_INVALID_VALUE);
}
