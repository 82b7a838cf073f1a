#!/bin/sh
# Builds the program for a capability and runs it with the libcuda.so.1 of a
# folder.
#
#   run.sh FOLDER NVCC INCLUDE STUB VERSION SETTINGS
set -e
source="$(dirname "$0")" folder="$1" nvcc="$2" include="$3" stub="$4" version="$5"
"$nvcc" -std=c++17 -arch=sm_"$version" -cudart none --keep --keep-dir "$folder" \
  -c "$source/algorithms.cu" -o "$folder/algorithms.o"
c++ -std=c++17 -isystem "$include" "$source/Runtime.cpp" "$folder/algorithms.o" \
  "$stub" -o "$folder/algorithms"
KERNELS="$folder/algorithms.ptx" LD_LIBRARY_PATH="$folder" \
  HETERO_EMULATOR="cache=none,$6" "$folder/algorithms"
