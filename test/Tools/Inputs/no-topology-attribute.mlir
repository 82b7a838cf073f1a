module attributes {hetero.topology = "gpu"} {
}
