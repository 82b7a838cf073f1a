//===- Computations.cu - What threads compute alone -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

KERNEL axpy(float a, const float *x, float *y, int size) {
  for (int i = globalIndex(); i < size; i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}

KERNEL gelu(const float *x, float *y, int size) {
  int i = globalIndex();
  if (i < size)
    y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));
}

KERNEL transcendental(const double *x, double *y, int size) {
  int i = globalIndex();
  if (i < size)
    y[i] = sin(x[i]) * exp(x[i]) + log(fabs(x[i]) + 1) + pow(fabs(x[i]), 1.5) +
           atan2(x[i], 2.0) + cbrt(x[i]) + tanh(x[i]);
}

KERNEL fastMath(const float *x, float *y, int size) {
  int i = globalIndex();
  if (i < size)
    y[i] = __sinf(x[i]) + __cosf(x[i]) + __expf(x[i]) + __log2f(x[i] + 20) +
           __fdividef(1.0f, x[i] + 20) + __fsqrt_rn(x[i] + 20) +
           rsqrtf(x[i] + 20) + __powf(x[i] + 20, 0.3f);
}

KERNEL directedRounding(const float *x, const float *y, float *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  float *to = out + 8 * i;
  to[0] = __fadd_ru(x[i], y[i]);
  to[1] = __fadd_rd(x[i], y[i]);
  to[2] = __fmul_rz(x[i], y[i]);
  to[3] = __fmul_ru(x[i], y[i]);
  to[4] = __fdiv_rd(x[i], y[i]);
  to[5] = __fsqrt_ru(fabsf(x[i]));
  to[6] = __double2float_rd(double(x[i]) * y[i]);
  to[7] = __fmaf_rz(x[i], y[i], 1.0f);
}

KERNEL minimaAndNaN(const float *x, const float *y, float *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  out[4 * i] = fminf(x[i], y[i]);
  out[4 * i + 1] = fmaxf(x[i], y[i]);
  out[4 * i + 2] = x[i] < y[i] ? 1 : x[i] > y[i] ? 2 : x[i] == y[i] ? 3 : 4;
  out[4 * i + 3] = copysignf(x[i], y[i]) + float(isnan(x[i]) || isinf(y[i]));
}

KERNEL halves(const __half2 *x, const __half2 *y, __half2 *out, int size) {
  int i = globalIndex();
  if (i < size)
    out[i] = __hfma2(x[i], y[i], __hmax2(x[i], __hsub2(y[i], x[i])));
}

KERNEL roundToHalf(const float *x, __half *half, __nv_bfloat16 *brain,
                   int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  half[i] = __float2half(x[i]);
  brain[i] = __float2bfloat16(x[i]);
}

KERNEL conversions(const float *x, int *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int *to = out + 8 * i;
  to[0] = __float2int_rn(x[i]);
  to[1] = __float2int_rz(x[i]);
  to[2] = __float2int_ru(x[i]);
  to[3] = __float2int_rd(x[i]);
  to[4] = __float2uint_rn(x[i]);
  to[5] = static_cast<signed char>(max(-128, min(127, __float2int_rn(x[i]))));
  to[6] = __float_as_int(float(int(x[i])));
  to[7] = static_cast<int>(__float2ll_rn(x[i]) >> 3);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

KERNEL bits(const unsigned *x, const unsigned *y, unsigned *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  unsigned a = x[i], b = y[i], *to = out + 10 * i;
  to[0] = __popc(a);
  to[1] = __clz(a);
  to[2] = __ffs(a);
  to[3] = __brev(a);
  to[4] = __byte_perm(a, b, 0x2741);
  to[5] = __funnelshift_l(a, b, 11);
  to[6] = __funnelshift_rc(a, b, b % 40);
  to[7] = (a & b) ^ (a | ~b);
  to[8] = __popcll((uint64_t(a) << 32) | b);
  to[9] = __clzll(uint64_t(a) * b);
}

KERNEL integers(const int *x, const int *y, long long *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int a = x[i], b = y[i];
  long long *to = out + 10 * i;
  to[0] = __mulhi(a, b);
  to[1] = __umulhi(a, b);
  to[2] = __mul24(a, b);
  to[3] = __sad(a, b, 5u);
  to[4] = b ? a / b : 0;
  to[5] = b ? a % b : 0;
  to[6] = (long long)a * b;
  to[7] = __umul64hi((unsigned long long)a << 20, (unsigned long long)b << 20);
  to[8] = __hadd(a, b);
  to[9] = abs(a) + min(a, b) * max(b, 3);
}

KERNEL divideWide(const long long *x, const long long *y, long long *out,
                  int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  out[3 * i] = x[i] / y[i];
  out[3 * i + 1] = x[i] % y[i];
  out[3 * i + 2] = (unsigned long long)x[i] / (unsigned long long)y[i];
}

// 256 bits, word by word, with carries.
KERNEL addWide(const unsigned *x, const unsigned *y, unsigned *out, int size) {
  int i = 8 * globalIndex();
  if (i >= 8 * size)
    return;
  asm("add.cc.u32 %0, %8, %16;\n\taddc.cc.u32 %1, %9, %17;\n\t"
      "addc.cc.u32 %2, %10, %18;\n\taddc.cc.u32 %3, %11, %19;\n\t"
      "addc.cc.u32 %4, %12, %20;\n\taddc.cc.u32 %5, %13, %21;\n\t"
      "addc.cc.u32 %6, %14, %22;\n\taddc.u32 %7, %15, %23;"
      : "=r"(out[i]), "=r"(out[i + 1]), "=r"(out[i + 2]), "=r"(out[i + 3]),
        "=r"(out[i + 4]), "=r"(out[i + 5]), "=r"(out[i + 6]), "=r"(out[i + 7])
      : "r"(x[i]), "r"(x[i + 1]), "r"(x[i + 2]), "r"(x[i + 3]), "r"(x[i + 4]),
        "r"(x[i + 5]), "r"(x[i + 6]), "r"(x[i + 7]), "r"(y[i]), "r"(y[i + 1]),
        "r"(y[i + 2]), "r"(y[i + 3]), "r"(y[i + 4]), "r"(y[i + 5]),
        "r"(y[i + 6]), "r"(y[i + 7]));
}

KERNEL crc32(const unsigned char *text, int bytes, unsigned *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  unsigned crc = ~0u;
  for (int j = 0; j < bytes; ++j) {
    crc ^= text[i * bytes + j];
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  out[i] = ~crc;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

KERNEL collatz(const unsigned *x, unsigned *steps, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  unsigned count = 0;
  for (unsigned long long n = x[i]; n != 1; ++count)
    n = n % 2 ? 3 * n + 1 : n / 2;
  steps[i] = count;
}

KERNEL interpret(const int *program, int length, int *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int value = i;
  for (int at = 0; at < length; ++at)
    switch (program[at]) {
    case 0:
      value += 3;
      break;
    case 1:
      value *= 2;
      break;
    case 2:
      value ^= 0x55;
      break;
    case 3:
      value -= i;
      break;
    case 4:
      if (value % 2 == 0)
        ++at;
      break;
    case 5:
      out[i] = value;
      return;
    case 6:
      value = -value;
      break;
    default:
      value = ~value;
    }
  out[i] = value + 1000000;
}

__device__ __noinline__ unsigned long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL recursion(unsigned long long *out) {
  out[threadIdx.x] = fibonacci(threadIdx.x);
}

using Operation = float (*)(float, float);
__device__ float addBoth(float x, float y) { return x + y; }
__device__ float multiplyBoth(float x, float y) { return x * y; }
__device__ float distance(float x, float y) { return fabsf(x - y); }
__device__ Operation operations[] = {addBoth, multiplyBoth, distance};
KERNEL byAddress(const int *which, const float *x, const float *y, float *out,
                 int size) {
  int i = globalIndex();
  if (i < size)
    out[i] = operations[which[i]](x[i], y[i]);
}

__constant__ float coefficients[5] = {1, -2, 0.5f, 3, -0.25f};
__device__ int calls = 100;
KERNEL polynomial(const float *x, float *out, int size, int *count) {
  int i = globalIndex();
  if (i >= size)
    return;
  float sum = 0;
  for (int j = 4; j >= 0; --j)
    sum = sum * x[i] + coefficients[j];
  out[i] = sum;
  atomicMax(count, atomicAdd(&calls, 1));
}

// An array that is indexed by data stays in local memory.
KERNEL countDigits(const unsigned *x, unsigned *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  unsigned char digits[10] = {};
  for (unsigned n = x[i]; n; n /= 10)
    ++digits[n % 10];
  unsigned best = 0;
  for (unsigned j = 1; j < 10; ++j)
    if (digits[j] > digits[best])
      best = j;
  out[i] = best * 100 + digits[best];
}

KERNEL mandelbrot(int *out, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  double x = 3.0 * column / width - 2, y = 2.0 * row / height - 1, a = 0, b = 0;
  int steps = 0;
  while (steps < 100 && a * a + b * b < 4) {
    double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
    ++steps;
  }
  out[row * width + column] = steps;
}
