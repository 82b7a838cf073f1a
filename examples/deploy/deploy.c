//===- deploy.c - Compile once, run elsewhere -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// deploy model.mlir model.so "default: cpu"
//   compiles the model with the rules, prints where its operations are, calls
//   it, and saves it;
// deploy model.so
//   loads what was saved and calls that, without the compiler's options or the
//   source.
//
// The model takes and gives one tensor<2x3xf32>.
//
//===----------------------------------------------------------------------===//

#include "hetero-c/Compiler.h"

#include <stdio.h>

/// Prints what a call had to say, and frees it.
static void printDiagnostics(char *diagnostics) {
  if (diagnostics)
    fputs(diagnostics, stderr);
  heteroFreeString(diagnostics);
}

static HeteroProgram *compileAndSave(const char *source, const char *library,
                                     const char *rules) {
  HeteroCompileOptions *options = heteroCreateCompileOptions();
  char *diagnostics = heteroSetCompileOption(options, "rules", rules);
  if (diagnostics) {
    printDiagnostics(diagnostics);
    heteroDestroyCompileOptions(options);
    return NULL;
  }
  HeteroProgram *program = heteroCompileFile(source, options, &diagnostics);
  heteroDestroyCompileOptions(options);
  printDiagnostics(diagnostics);
  if (!program)
    return NULL;
  char *placement = heteroDescribePlacement(program, "json", NULL);
  printf("%s", placement);
  heteroFreeString(placement);
  if (heteroSaveProgram(program, library, &diagnostics))
    return program;
  printDiagnostics(diagnostics);
  heteroDestroyProgram(program);
  return NULL;
}

static HeteroProgram *load(const char *library) {
  char *diagnostics = NULL;
  HeteroProgram *program = heteroLoadProgram(library, &diagnostics);
  printDiagnostics(diagnostics);
  return program;
}

/// Calls the program with 0, 1, 2, ...
static int call(const HeteroProgram *program) {
  float data[6] = {0, 1, 2, 3, 4, 5};
  HeteroValue argument = {data,        NULL, 0,      HETERO_TYPE_F32, 2,
                          HETERO_HOST, 0,    {2, 3}, {3, 1}};
  HeteroValue result = {0};
  if (heteroInvoke(program, NULL, &argument, 1, &result, 1) != HETERO_OK) {
    fprintf(stderr, "error: %s\n", heteroLastError());
    return 1;
  }
  printf("result:");
  for (int i = 0; i < 6; ++i)
    printf(" %g", ((const float *)result.data)[i]);
  printf("\n");
  heteroReleaseValue(&result);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 4) {
    fprintf(stderr, "usage: deploy MODEL.mlir MODEL.so RULES | deploy "
                    "MODEL.so\n");
    return 2;
  }
  HeteroProgram *program =
      argc == 4 ? compileAndSave(argv[1], argv[2], argv[3]) : load(argv[1]);
  if (!program)
    return 1;
  int status = call(program);
  heteroDestroyProgram(program);
  return status;
}
