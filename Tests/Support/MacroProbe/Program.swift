import Foundation

/// Expands the macros of sources for the tests of the macros.
///
/// Reads requests from the standard input, one line of JSON each, and writes a line with the result of each.
///
/// The program is a macro target, because SwiftPM builds those for the host. Jetstream needs swift-syntax there anyway.
/// Tests that import swift-syntax would compile it a second time.
@main
enum Program {
    static func main() throws {
        while let line = readLine() {
            let request = try JSONDecoder().decode(ExpansionRequest.self, from: Data(line.utf8))
            let result = try JSONEncoder().encode(ExpansionResult(of: request))
            try FileHandle.standardOutput.write(contentsOf: result + [UInt8(ascii: "\n")])
        }
    }
}
