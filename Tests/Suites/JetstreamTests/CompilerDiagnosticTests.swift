import Foundation
import TestSupport
import Testing

/// The diagnostics as users see them: files with `// expected-error`, held against what the compiler reports.
@Suite("Mistakes in models, as the compiler reports them", .timeLimit(.minutes(5)))
struct CompilerDiagnosticTests {
    private static let folder = "jetstream-models"
    private static let missing: Comment = "no swiftc on the path, or no plug-in in the build folder"

    @Test(
        "each file with mistakes in models has exactly the compiler errors that it announces",
        .enabled(if: Compiler.installed != nil, missing),
        arguments: [
            "Actors.swift", "Attributes.swift", "Classes.swift", "Composites.swift", "Correct.swift", "Elsewhere.swift",
            "Extensions.swift", "KeyPaths.swift", "Local.swift", "Nested.swift", "Properties.swift", "Protocols.swift",
            "Untyped.swift",
        ]
    )
    func announced(_ name: String) throws {
        let result = try #require(Compiler.installed).verify(try Self.file(name))
        #expect(result.status == 0, "\(result.output)")
    }

    /// The errors are in expansions, which are files of their own: their places are found in what the compiler prints.
    @Test(
        "an unsupported type of a model's property is one error at the property, with the supported types",
        .enabled(if: Compiler.installed != nil, missing)
    )
    func types() throws {
        let file = try Self.file("Types.swift")
        let result = try #require(Compiler.installed).typecheck(file, ["-diagnostic-style", "swift"])
        #expect(result.status != 0)
        let errors = result.output.split(separator: "\n").filter {
            $0.hasPrefix("macro expansion @") && $0.contains(": error: ")
        }
        let expected = "the type of a model's property must be a ModelValue: String, Bool, a number, "
        #expect(errors.allSatisfy { $0.contains(expected) }, "\(errors.joined(separator: "\n"))")
        let places = result.output.matches(of: /Types\.swift:(\d+):\d+: note: expanded code originates here/)
        let source = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let wrong = source.indices.filter { source[$0].contains("    var ") }.map { $0 + 1 }
        #expect(errors.count == wrong.count && places.compactMap { Int($0.output.1) }.sorted() == wrong)
    }

    @Test("each message of the macros is announced in a file")
    func messages() throws {
        let sources = SharedDocuments.package.appendingPathComponent("Sources/JetstreamMacros/Expansion/Diagnostics")
        let source = try String(contentsOf: sources.appendingPathComponent("ModelMistake.swift"), encoding: .utf8)
        let messages = source.matches(of: /Self\(\s*"(?<id>[a-z-]+)",\s*"(?<text>(?:[^"\\]|\\.)*)"\s*\)/)
        // Each call of the initializer was read.
        #expect(messages.count == source.matches(of: /Self\(/).count)
        var announced: [String] = []
        for document in SharedDocuments.fixtures(Self.folder) {
            let text = String(decoding: document.contents, as: UTF8.self)
            for match in text.matches(of: /expected-error[^{\n]*\{\{(.*?)\}\}/) {
                announced.append(Self.unescaped(match.output.1))
            }
        }
        for message in messages {
            let text = String(message.output.text)
            // An interpolation stands for any text.
            let parts = text.split(separator: /\\\([^)]*\)/, omittingEmptySubsequences: false).map(Self.unescaped)
            let isAnnounced = announced.contains { Self.consists($0, of: parts) }
            #expect(isAnnounced, "\(message.output.id): \(text)")
        }
    }

    /// Returns whether a text is `parts` with any text between them.
    private static func consists(_ text: String, of parts: [String]) -> Bool {
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first), text.hasSuffix(last) else {
            return false
        }
        var rest = text[...]
        for part in parts where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing(/\\(.)/) { $0.output.1 }
    }

    private static func file(_ name: String) throws -> URL {
        try #require(SharedDocuments.fixtures(folder).first { $0.name == name }).url
    }
}
