//===- chain_starpu.c - The chain by StarPU's tasks -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "chain.h"

#include <starpu.h>
#include <starpu_mpi.h>

static void takeTask(void *buffers[], void *argument) {
  (void)argument;
  takeStep((const float *)STARPU_VECTOR_GET_PTR(buffers[0]),
           (float *)STARPU_VECTOR_GET_PTR(buffers[1]),
           STARPU_VECTOR_GET_NX(buffers[0]));
}

static struct starpu_codelet step = {
    .cpu_funcs = {takeTask},
    .nbuffers = 2,
    .modes = {STARPU_R, STARPU_W},
};

/// Each rank has a vector; a task reads the other's, which StarPU sends.
static double run(Chain chain, starpu_data_handle_t *vectors) {
  starpu_mpi_barrier(MPI_COMM_WORLD);
  double start = readClock();
  for (int i = 0; i < chain.steps; ++i)
    starpu_mpi_task_insert(MPI_COMM_WORLD, &step, STARPU_R,
                           vectors[(i + 1) % 2], STARPU_W, vectors[i % 2],
                           STARPU_EXECUTE_ON_NODE, i % 2, 0);
  starpu_task_wait_for_all();
  starpu_mpi_wait_for_all(MPI_COMM_WORLD);
  return readClock() - start;
}

int main(int argc, char **argv) {
  Chain chain = readChain(argc, argv);
  int rank;
  if (starpu_mpi_init_conf(&argc, &argv, 1, MPI_COMM_WORLD, NULL) != 0)
    return 1;
  starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank);
  float *data = (float *)calloc(chain.count, sizeof(float));
  starpu_data_handle_t vectors[2];
  for (int owner = 0; owner < 2; ++owner) {
    int isOwn = owner == rank;
    starpu_vector_data_register(&vectors[owner], isOwn ? STARPU_MAIN_RAM : -1,
                                isOwn ? (uintptr_t)data : 0, chain.count,
                                sizeof(float));
    starpu_mpi_data_register(vectors[owner], owner, owner);
  }
  run(chain, vectors);
  // What the first run left is where the second begins.
  starpu_data_acquire(vectors[rank], STARPU_W);
  for (int64_t i = 0; i < chain.count; ++i)
    data[i] = 0;
  starpu_data_release(vectors[rank]);
  starpu_mpi_cache_flush_all_data(MPI_COMM_WORLD);
  double seconds = run(chain, vectors);
  for (int owner = 0; owner < 2; ++owner)
    starpu_data_unregister(vectors[owner]);
  int isRight =
      (chain.steps - 1) % 2 != rank || finishChain(chain, data, seconds);
  free(data);
  starpu_mpi_shutdown();
  return !isRight;
}
