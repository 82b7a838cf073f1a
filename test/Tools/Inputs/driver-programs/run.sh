#!/bin/sh
# Builds the programs and runs them with the libcuda.so.1 of a folder.
#
#   run.sh FOLDER INCLUDE STUB PTX NAME...
set -e
source="$(dirname "$0")" folder="$1" include="$2" stub="$3" ptx="$4"
shift 4
for name; do
  c++ -std=c++17 "$source/$name.cpp" -isystem "$include" "$stub" -pthread \
    -o "$folder/$name"
  LD_LIBRARY_PATH="$folder" "$folder/$name" "$ptx"
done
