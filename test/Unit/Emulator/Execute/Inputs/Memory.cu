//===- Memory.cu - How threads reach memory -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define KERNEL extern "C" __global__ void

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL convolve(const float *image, const float *filter, float *out, int height,
                int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y, plane = blockIdx.z;
  if (column >= width || row >= height)
    return;
  float sum = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      if (row + i >= 0 && row + i < height && column + j >= 0 &&
          column + j < width)
        sum += __ldg(&image[(plane * height + row + i) * width + column + j]) *
               filter[(i + 1) * 3 + j + 1];
  out[(plane * height + row) * width + column] = sum;
}

KERNEL multiplySparse(const int *rows, const int *columns, const float *values,
                      const float *x, float *y, int size) {
  int row = globalIndex();
  if (row >= size)
    return;
  float sum = 0;
  for (int i = rows[row]; i < rows[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

struct Body {
  float3 place;
  float mass;
};
KERNEL attract(const Body *bodies, float3 *forces, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  float3 force = {0, 0, 0};
  for (int j = 0; j < size; ++j) {
    float x = bodies[j].place.x - bodies[i].place.x;
    float y = bodies[j].place.y - bodies[i].place.y;
    float z = bodies[j].place.z - bodies[i].place.z;
    float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
    float scale = bodies[j].mass * inverse * inverse * inverse;
    force.x += x * scale;
    force.y += y * scale;
    force.z += z * scale;
  }
  forces[i] = force;
}

KERNEL copyVectors(const uint4 *from, uint4 *to, const uchar4 *bytes,
                   ushort2 *pairs, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  uint4 value = from[size - 1 - i];
  to[i] = make_uint4(value.w, value.z, value.y, value.x);
  uchar4 four = bytes[i];
  pairs[i] = make_ushort2(four.x * 256 + four.y, four.z * 256 + four.w);
}

KERNEL liveOn(const unsigned char *cells, unsigned char *next, int size) {
  __shared__ unsigned char tile[18][18];
  int left = blockIdx.x * 16, top = blockIdx.y * 16;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
    int row = (top + i / 18 - 1 + size) % size;
    int column = (left + i % 18 - 1 + size) % size;
    tile[i / 18][i % 18] = cells[row * size + column];
  }
  __syncthreads();
  int row = threadIdx.y + 1, column = threadIdx.x + 1, count = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      count += (i || j) && tile[row + i][column + j];
  if (top + row <= size && left + column <= size)
    next[(top + row - 1) * size + left + column - 1] =
        count == 3 || (count == 2 && tile[row][column]);
}

// Each stage of a transform of 2^n numbers; a thread has one butterfly.
KERNEL transform(float2 *values, int size) {
  extern __shared__ float2 shared[];
  int i = threadIdx.x;
  int levels = 31 - __clz(size);
  for (int j = i; j < size; j += blockDim.x)
    shared[__brev(j) >> (32 - levels)] = values[j];
  for (int half = 1; half < size; half *= 2) {
    __syncthreads();
    int k = i % half, first = i / half * 2 * half + k;
    float sine, cosine;
    sincospif(-float(k) / half, &sine, &cosine);
    float2 a = shared[first], b = shared[first + half];
    float2 c = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
    shared[first] = {a.x + c.x, a.y + c.y};
    shared[first + half] = {a.x - c.x, a.y - c.y};
  }
  __syncthreads();
  for (int j = i; j < size; j += blockDim.x)
    values[j] = shared[j];
}
