//===- Matrices.cu - Products, with and without tensor cores --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

// c[m][n] = a[m][k] * b[k][n] in all of these, unless they say otherwise.

extern "C" __global__ void multiplyPlain(const float *a, const float *b,
                                         float *c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

constexpr int kTile = 16;

template <typename T>
__device__ void multiplyTiles(const T *a, const T *b, T *c, int m, int n,
                              int k) {
  __shared__ T tileA[kTile][kTile + 1], tileB[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  T sum = 0;
  for (int first = 0; first < k; first += kTile) {
    int inner = first + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] =
        row < m && inner < k ? a[row * k + inner] : T(0);
    inner = first + threadIdx.y;
    tileB[threadIdx.y][threadIdx.x] =
        inner < k && column < n ? b[inner * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void multiplyShared(const float *a, const float *b,
                                          float *c, int m, int n, int k) {
  multiplyTiles(a, b, c, m, n, k);
}
extern "C" __global__ void multiplyDouble(const double *a, const double *b,
                                          double *c, int m, int n, int k) {
  multiplyTiles(a, b, c, m, n, k);
}
extern "C" __global__ void multiplyInteger(const int *a, const int *b, int *c,
                                           int m, int n, int k) {
  multiplyTiles(a, b, c, m, n, k);
}

// Four rows of threads compute four elements each, from vectors of four.
extern "C" __global__ void multiplyRegisters(const float4 *a, const float4 *b,
                                             float4 *c, int n, int k) {
  int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float4 sums[4] = {};
  for (int i = 0; i < k / 4; ++i) {
    float4 rows[4], columns[4];
    for (int j = 0; j < 4; ++j) {
      rows[j] = a[(row + j) * (k / 4) + i];
      columns[j] = b[(4 * i + j) * (n / 4) + column];
    }
    for (int j = 0; j < 4; ++j) {
      const float x[] = {rows[j].x, rows[j].y, rows[j].z, rows[j].w};
      for (int l = 0; l < 4; ++l) {
        sums[j].x = fmaf(x[l], columns[l].x, sums[j].x);
        sums[j].y = fmaf(x[l], columns[l].y, sums[j].y);
        sums[j].z = fmaf(x[l], columns[l].z, sums[j].z);
        sums[j].w = fmaf(x[l], columns[l].w, sums[j].w);
      }
    }
  }
  for (int j = 0; j < 4; ++j)
    c[(row + j) * (n / 4) + column] = sums[j];
}

// Two stages of cp.async; k is a multiple of 16, m and n of 16.
extern "C" __global__ void multiplyPipelined(const float *a, const float *b,
                                             float *c, int n, int k) {
  __shared__ __align__(16) float tileA[2][kTile][kTile], tileB[2][kTile][kTile];
  int thread = threadIdx.y * kTile + threadIdx.x;
  auto load = [&](int stage, int first) {
    if (thread < 64) { // 16 rows of four vectors.
      int row = thread / 4, part = thread % 4 * 4;
      __pipeline_memcpy_async(&tileA[stage][row][part],
                              &a[(blockIdx.y * kTile + row) * k + first + part],
                              16);
      __pipeline_memcpy_async(&tileB[stage][row][part],
                              &b[(first + row) * n + blockIdx.x * kTile + part],
                              16);
    }
    __pipeline_commit();
  };
  float sum = 0;
  load(0, 0);
  for (int first = 0; first < k; first += kTile) {
    int stage = first / kTile % 2;
    if (first + kTile < k)
      load(1 - stage, first + kTile);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum += tileA[stage][threadIdx.y][i] * tileB[stage][i][threadIdx.x];
    __syncthreads();
  }
  c[(blockIdx.y * kTile + threadIdx.y) * n + blockIdx.x * kTile + threadIdx.x] =
      sum;
}

// Products of `rows` x `columns` with tensor cores; the columns of B are
// contiguous.
template <int rows, int columns, typename T, typename Sum>
__device__ void multiplyFragments(const T *a, const T *b, Sum *c, int n,
                                  int k) {
  wmma::fragment<wmma::matrix_a, rows, columns, 16, T, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, rows, columns, 16, T, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, rows, columns, 16, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  int row = blockIdx.y * rows, column = blockIdx.x * columns;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(x, a + row * k + i, k);
    wmma::load_matrix_sync(y, b + column * k + i, k);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void multiplyHalf(const half *a, const half *b, float *c,
                                        int n, int k) {
  multiplyFragments<16, 16>(a, b, c, n, k);
}

extern "C" __global__ void multiplyBytes(const signed char *a,
                                         const signed char *b, int *c, int n,
                                         int k) {
  multiplyFragments<32, 8>(a, b, c, n, k);
}

// 16 x 8 elements per warp: ldmatrix from shared memory, then mma.
extern "C" __global__ void multiplyLoaded(const __nv_bfloat16 *a,
                                          const __nv_bfloat16 *b, float *c,
                                          int n, int k) {
  __shared__ __align__(16) __nv_bfloat16 tileA[16][24], tileB[8][24];
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  float sums[4] = {};
  for (int first = 0; first < k; first += 16) {
    for (int i = lane; i < 16 * 16; i += 32)
      tileA[i / 16][i % 16] = a[(row + i / 16) * k + first + i % 16];
    for (int i = lane; i < 8 * 16; i += 32)
      tileB[i / 16][i % 16] = b[(column + i / 16) * k + first + i % 16];
    __syncwarp();
    unsigned x[4], y[2];
    unsigned address = __cvta_generic_to_shared(
        &tileA[lane % 8 + lane / 8 % 2 * 8][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address));
    address = __cvta_generic_to_shared(&tileB[lane % 8][lane / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(address));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]),
                   "r"(y[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i)
    c[(row + lane / 4 + i / 2 * 8) * n + column + lane % 4 * 2 + i % 2] =
        sums[i];
}

// Multiplies four bytes at a time.
extern "C" __global__ void multiplyPacked(const int *a, const int *b, int *c,
                                          int m, int n, int words) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  int sum = 0;
  for (int i = 0; i < words; ++i)
    sum = __dp4a(a[row * words + i], b[column * words + i], sum);
  c[row * n + column] = sum;
}

extern "C" __global__ void transpose(const float *in, float *out, int rows,
                                     int columns) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32;
  for (int i = threadIdx.y; i < 32; i += blockDim.y)
    if (row + i < rows && column < columns)
      tile[i][threadIdx.x] = in[(row + i) * columns + column];
  __syncthreads();
  int to = blockIdx.y * 32 + threadIdx.x, first = blockIdx.x * 32;
  for (int i = threadIdx.y; i < 32; i += blockDim.y)
    if (first + i < columns && to < rows)
      out[(first + i) * rows + to] = tile[threadIdx.x][i];
}

// Integers of four bits or one bit; a warp makes 8 x 8 sums.
template <typename Element, int kDepth, typename Multiply>
__device__ void multiplySmall(const int *a, const int *b, int *c, int depth,
                              Multiply multiply) {
  using namespace wmma;
  fragment<matrix_a, 8, 8, kDepth, Element, row_major> left;
  fragment<matrix_b, 8, 8, kDepth, Element, col_major> right;
  fragment<accumulator, 8, 8, kDepth, int> sum;
  fill_fragment(sum, 0);
  for (int k = 0; k < depth; k += kDepth) {
    int word = k / kDepth * 4;
    load_matrix_sync(left, a + word, depth);
    load_matrix_sync(right, b + word, depth);
    multiply(sum, left, right);
  }
  store_matrix_sync(c, sum, 8, mem_row_major);
}

extern "C" __global__ void multiplyNibbles(const int *a, const int *b, int *c,
                                           int depth) {
  multiplySmall<wmma::experimental::precision::s4, 32>(
      a, b, c, depth, [](auto &sum, auto &left, auto &right) {
        wmma::mma_sync(sum, left, right, sum);
      });
}

extern "C" __global__ void multiplyBits(const int *a, const int *b, int *c,
                                        int depth, int isXor) {
  multiplySmall<wmma::experimental::precision::b1, 128>(
      a, b, c, depth, [=](auto &sum, auto &left, auto &right) {
        if (isXor)
          wmma::bmma_sync(sum, left, right, sum,
                          wmma::experimental::bmmaBitOpXOR);
        else
          wmma::bmma_sync(sum, left, right, sum,
                          wmma::experimental::bmmaBitOpAND);
      });
}

//===----------------------------------------------------------------------===//
// Four products of quarters of a warp
//===----------------------------------------------------------------------===//

// What a lane has of the operands of mma.m8n8k4, as the PTX ISA says.
struct Quad {
  int lane, product, upper;
  __device__ Quad()
      : lane(threadIdx.x), product(lane % 16 / 4), upper(lane < 16 ? 0 : 4) {}

  // A has 8 rows of 4, B 4 rows of 8; each product has its own.
  __device__ void load(const __half *from, bool isLine, bool isA,
                       unsigned (&registers)[2]) const {
    __half elements[4];
    for (int i = 0; i < 4; ++i) {
      int line = upper + (isLine ? lane % 4 : i), k = isLine ? i : lane % 4;
      elements[i] = from[product * 32 + (isA ? line * 4 + k : k * 8 + line)];
    }
    memcpy(registers, elements, sizeof registers);
  }
  __device__ int placeOfFloat(int i) const {
    int row = upper + (lane & 1) + (i & 2);
    return product * 64 + row * 8 + (i & 4) + (lane & 2) + (i & 1);
  }
  __device__ int placeOfHalf(int i) const {
    return product * 64 + (upper + lane % 4) * 8 + i;
  }
};

#define QUADS(layouts, isRowsOfA, isColumnsOfB)                                \
  extern "C" __global__ void quads_##layouts(const __half *a, const __half *b, \
                                             const float *c, float *d,         \
                                             __half *halves) {                 \
    Quad quad;                                                                 \
    unsigned x[2], y[2], z[4], w[4];                                           \
    float sums[8];                                                             \
    quad.load(a, isRowsOfA, true, x);                                          \
    quad.load(b, isColumnsOfB, false, y);                                      \
    __half start[8], sum[8];                                                   \
    for (int i = 0; i < 8; ++i) {                                              \
      sums[i] = c[quad.placeOfFloat(i)];                                       \
      start[i] = __float2half(c[quad.placeOfHalf(i)]);                         \
    }                                                                          \
    memcpy(z, start, sizeof z);                                                \
    asm volatile("mma.sync.aligned.m8n8k4." LAYOUTS_##layouts                  \
                 ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, "       \
                 "{%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"                       \
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), \
                   "+f"(sums[4]), "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7])  \
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]));                \
    asm volatile("mma.sync.aligned.m8n8k4." LAYOUTS_##layouts                  \
                 ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, "          \
                 "{%8,%9,%10,%11};"                                            \
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])              \
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]), "r"(z[0]),      \
                   "r"(z[1]), "r"(z[2]), "r"(z[3]));                           \
    memcpy(sum, w, sizeof sum);                                                \
    for (int i = 0; i < 8; ++i) {                                              \
      d[quad.placeOfFloat(i)] = sums[i];                                       \
      halves[quad.placeOfHalf(i)] = sum[i];                                    \
    }                                                                          \
  }
#define LAYOUTS_rowRow "row.row"
#define LAYOUTS_rowCol "row.col"
#define LAYOUTS_colRow "col.row"
#define LAYOUTS_colCol "col.col"
QUADS(rowRow, true, false)
QUADS(rowCol, true, true)
QUADS(colRow, false, false)
QUADS(colCol, false, true)
