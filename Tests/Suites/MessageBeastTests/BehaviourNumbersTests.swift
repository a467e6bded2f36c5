import Foundation
import TestSupport
import Testing

/// Every behaviour of Docs/Protocols/MessageBeast.md §9 has a test that carries its number.
@Suite("Numbers of MessageBeast's behaviours")
struct BehaviourNumbersTests {
    private static let all = 1...136

    /// The numbers in the traits of the tests, in all files of `Tests`.
    private static func numbers() throws -> Set<Int> {
        let tests = SharedDocuments.package.appendingPathComponent("Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var numbers: Set<Int> = []
        for case let file as URL in files {
            // Packages of their own have build folders.
            if file.lastPathComponent.hasPrefix(".build") { files.skipDescendants() }
            guard file.pathExtension == "swift" else { continue }
            numbers.formUnion(Self.numbers(in: try String(contentsOf: file, encoding: .utf8)))
        }
        return numbers
    }

    /// The numbers in a source, comments aside.
    static func numbers(in source: String) -> Set<Int> {
        var numbers: Set<Int> = []
        for line in source.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            guard !code.hasPrefix("//") else { continue }
            for part in code.components(separatedBy: ".behaviour(").dropFirst() {
                let list = part.prefix { $0 != ")" }
                numbers.formUnion(list.split { !$0.isNumber }.compactMap { Int($0) })
            }
        }
        return numbers
    }

    @Test("each behaviour of Docs/Protocols/MessageBeast.md has a test with its number")
    func complete() throws {
        let found = try Self.numbers()
        #expect(Set(Self.all).subtracting(found).sorted() == [], "behaviours without a test")
        #expect(found.subtracting(Self.all).sorted() == [], "numbers that no behaviour has")
    }

    @Test("numbers of behaviours are found in traits, and not in comments")
    func reading() {
        let source = """
            @Test("a", .behaviour(40))
            @Test("b", .behaviour(41, 42), .timeLimit(.minutes(5)))
            // @Test("c", .behaviour(43))
            static func behaviour(_ numbers: Int...) -> Self
            """
        #expect(Self.numbers(in: source) == [40, 41, 42])
    }
}
