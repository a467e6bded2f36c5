import CostSupport

/// `make cost`: measures what long inputs cost. See ``CostProgram``.
@main
enum CostRunner {
    static func main() { CostProgram.main(CommandLine.arguments.dropFirst()) }
}
