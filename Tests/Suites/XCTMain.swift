import Testing

/// The entry point of the tests. Without it, SwiftPM would look for tests of XCTest in the index, and builds of the tests have
/// none.
@main
enum TestMain {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
