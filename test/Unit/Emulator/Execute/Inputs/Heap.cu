//===- Heap.cu - Memory that kernels take while they run ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdio>

#define KERNEL extern "C" __global__ void

// Each thread's list, which its neighbour reads and gives back.
KERNEL lists(const int *sizes, int *out) {
  __shared__ int *all[64];
  int i = threadIdx.x, size = sizes[i];
  int *own = (int *)malloc(size * sizeof(int));
  for (int k = 0; k < size; ++k)
    own[k] = i * k;
  all[i] = own;
  __syncthreads();
  int other = (i + 1) % blockDim.x, sum = 0;
  for (int k = 0; k < sizes[other]; ++k)
    sum += all[other][k];
  out[i] = sum;
  free(all[other]);
}

// What one launch takes the next one reads and the last one gives back.
KERNEL keep(int **place, int value) {
  *place = new int[3]{value, value + 1, value + 2};
}
KERNEL readKept(int **place, int *out) { *out = (*place)[1] * (*place)[2]; }
KERNEL giveBack(int **place) { delete[] *place; }

// Where the last byte of an allocation is not.
KERNEL writeBeyond(int size) {
  char *own = (char *)malloc(size);
  own[size] = 1;
}
KERNEL readFreed(int *out) {
  int *own = (int *)malloc(sizeof(int));
  *own = 5;
  *out = *own;
  free(own);
  *out = *(volatile int *)own;
}
KERNEL freeTwice() {
  void *own = malloc(8);
  free(own);
  free(nullptr);
  free(own);
}
KERNEL freeOther(char *pointer) { free(pointer + 4); }

// How many pieces there are until there is no more.
KERNEL takeAll(size_t size, int *count) {
  void *last = nullptr;
  *count = 0;
  while (void **next = (void **)malloc(size)) {
    *next = last;
    last = next;
    ++*count;
  }
  while (last) {
    void *next = *(void **)last;
    free(last);
    last = next;
  }
}

// Addresses that are multiples of something large.
KERNEL aligned(size_t align, int *out) {
  char *first = (char *)__nv_aligned_device_malloc(10, align);
  char *second = (char *)__nv_aligned_device_malloc(10, align);
  first[9] = 1;
  second[9] = 2;
  *out = (size_t)first % align == 0 && (size_t)second % align == 0 &&
         first != second && first[9] + second[9] == 3;
  free(first);
  free(second);
}

// Objects whose functions are called by their addresses.
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Box : Shape {
  int width, height;
  __device__ Box(int width, int height) : width(width), height(height) {}
  __device__ int area() const override { return width * height; }
};
KERNEL areas(const int *in, int *out) {
  int i = threadIdx.x;
  Shape *shape;
  if (in[i] % 3 == 0)
    shape = new Square(in[i]);
  else if (in[i] % 3 == 1)
    shape = new Box(in[i], i);
  else
    shape = new Shape;
  out[i] = shape->area();
  delete shape;
}

// Arrays on the stack whose sizes are known late: one, and one of each round
// of a loop, and a function that takes its own above them.
__device__ __noinline__ int sumOf(const int *values, int size) {
  int *copy = (int *)alloca((size + 1) * sizeof(int));
  int sum = 0;
  for (int k = 0; k < size; ++k)
    copy[k + 1] = values[size - 1 - k];
  for (int k = 1; k <= size; ++k)
    sum += copy[k] * k;
  return sum;
}
KERNEL onTheStack(const int *sizes, int *out) {
  int i = threadIdx.x, size = sizes[i];
  int *own = (int *)alloca(size * sizeof(int));
  for (int k = 0; k < size; ++k)
    own[k] = i + k * k;
  int sum = sumOf(own, size);
  for (int round = 0; round < 3; ++round) {
    int *more = (int *)alloca((round + 1) * sizeof(int));
    for (int k = 0; k <= round; ++k)
      more[k] = own[(size - 1) * (k != 0)] + k;
    sum += sumOf(more, round + 1);
  }
  out[i] = sum;
}
KERNEL stackTooLarge(int size, int *out) {
  int *own = (int *)alloca(size * sizeof(int));
  for (int k = 0; k < size; ++k)
    own[k] = k;
  *out = own[*out];
}

// The same by the instructions, with what was saved or something else.
KERNEL restoreStack(int *out, long long more) {
  long long first, second, end;
  asm volatile("stacksave.u64 %0;" : "=l"(end));
  asm volatile("alloca.u64 %0, 64, 16;" : "=l"(first));
  asm volatile("stackrestore.u64 %0;" ::"l"(end + more));
  asm volatile("alloca.u64 %0, 64, 16;" : "=l"(second));
  *out = first == second;
}

KERNEL print(int width, double number) {
  printf("%*d|%-*d|%.*f|%5.*e|%+d|%#x|%c|%s|%lld|%lu|%hd|%%|%05d\n", width, 7,
         width, -8, 3, number, 2, number, 9, 255, 'q', "text", 1234567890123ll,
         12345678901ul, (short)-3, 42);
}
