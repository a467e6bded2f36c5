import Foundation
import TestSupport
import Testing

/// The threat model names a test for each line: this holds it to that.
@Suite("The threat model")
struct ThreatModelTests {
    /// A line of one of its tables.
    private struct Row {
        let number: Int
        let file: String
        let sentence: String
    }

    private static let root = SharedDocuments.package

    /// Returns the rows of the tables, and the numbers of their lines that name no test.
    private func rows() throws -> (named: [Row], unnamed: [Int]) {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Docs/ThreatModel.md"), encoding: .utf8)
        let test = /`(\w+Tests\/[\w\/+]+\.swift)`: (.+)/
        var named: [Row] = []
        var unnamed: [Int] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() where line.hasPrefix("| ") {
            let cells = line.components(separatedBy: " |")
            guard !line.hasPrefix("| attack |"), !line.hasPrefix("| --- |") else { continue }
            guard cells.count == 4, let match = cells[2].wholeMatch(of: /\s*(.*?)\s*/)?.output.1.wholeMatch(of: test)
            else {
                unnamed.append(index + 1)
                continue
            }
            named.append(Row(number: index + 1, file: String(match.output.1), sentence: String(match.output.2)))
        }
        return (named, unnamed)
    }

    @Test("each line of the threat model names a test, which exists with this name")
    func tests() throws {
        let (named, unnamed) = try rows()
        #expect(named.count > 100)
        #expect(unnamed == [], "lines without a test")
        for row in named {
            let file = Self.root.appendingPathComponent("Tests/Suites/\(row.file)")
            let source = try String(contentsOf: file, encoding: .utf8).replacing(/@Test\(\s+/, with: "@Test(")
            #expect(
                source.contains("@Test(\"\(row.sentence)\""),
                "Docs/ThreatModel.md:\(row.number) names a test that is not there: \(row.file): \(row.sentence)"
            )
        }
    }
}
