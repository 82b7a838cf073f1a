// A pad and the transposition that a pack becomes are tiled one after the other;
// the tiles of each are chosen for it alone.
// RUN: hetero-run %s --rules='default: cpu' --input=129x47x16x16xf32=1 --input=f32=1 --expected=1x1x1x1x136x64x16x16xf32=1

func.func @main(%x: tensor<129x47x16x16xf32>, %pad: f32) -> tensor<1x1x1x1x136x64x16x16xf32> {
  %empty = tensor.empty() : tensor<1x1x1x1x136x64x16x16xf32>
  %packed = linalg.pack %x padding_value(%pad : f32) inner_dims_pos = [0, 1, 2, 3] inner_tiles = [136, 64, 16, 16] into %empty
    : tensor<129x47x16x16xf32> -> tensor<1x1x1x1x136x64x16x16xf32>
  return %packed : tensor<1x1x1x1x136x64x16x16xf32>
}
