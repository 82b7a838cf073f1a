func.func private @hidden(%x: f32) -> f32 {
  return %x : f32
}
