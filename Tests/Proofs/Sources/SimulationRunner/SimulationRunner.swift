import SimulationSupport

/// `make simulate`: simulates a system, seed after seed. See ``SimulationProgram``.
@main
enum SimulationRunner {
    static func main() { SimulationProgram.main(CommandLine.arguments.dropFirst()) }
}
