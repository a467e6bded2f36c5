import Testing

/// The entry point of the tests. Without it, SwiftPM would look for tests of XCTest in the index, and builds of the tests have
/// none.
@main
enum TestMain {
    static func main() async {
        // `swift test --filter` asks for the tests of XCTest first, and expects this form of their list.
        if CommandLine.arguments.contains("--dump-tests-json") {
            print(#"{"name":"All tests","tests":[]}"#)
            return
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
