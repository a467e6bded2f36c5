import Foundation
import TestSupport
import Testing

/// The diagnostics as users see them: files with `// expected-error`, held against what the compiler reports with the plug-in.
@Suite("Mistakes in models, as the compiler reports them", .timeLimit(.minutes(5)))
struct CompilerDiagnosticTests {
    static let files = SharedDocuments.fixtures("jetstream-models").filter { $0.name.hasSuffix(".swift") }

    @Test(
        "each file has the errors that it announces, and no other",
        .enabled(if: Compiler.installed != nil, "no swiftc on the path, or no plug-in in the build folder"),
        arguments: files
    )
    func errors(_ file: SharedDocuments.Document) throws {
        let result = try #require(Compiler.installed).verify(file.url)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("there are files")
    func present() { #expect(Self.files.count >= 4) }
}
