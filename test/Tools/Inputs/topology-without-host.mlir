module attributes {hetero.topology = #hetero.topology<devices = [<device = <gpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
}
