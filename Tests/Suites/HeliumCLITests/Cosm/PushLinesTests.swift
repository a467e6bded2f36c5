import Cosm
import Foundation
import Testing

@testable import HeliumCLI

@Suite("Lines of helium cosm push")
struct PushLinesTests {
    private static let now = Timestamp(microseconds: 1_000_000)

    private func points(_ chunks: [String]) throws -> [Datapoint] {
        var (lines, points) = (PushLines(), [Datapoint]())
        for chunk in chunks { try lines.take(Data(chunk.utf8), at: Self.now, into: &points) }
        try lines.end(at: Self.now, into: &points)
        return points
    }

    @Test("a line with a value only has the present time, and two of them differ by a microsecond")
    func values() throws {
        let points = try points(["20.5\n21\n\n22\n"])
        #expect(points.map(\.value) == ["20.5", "21", "22"])
        #expect(points.map(\.at?.microseconds) == [1_000_000, 1_000_001, 1_000_002])
    }

    @Test(
        "a line may begin with a timestamp, have spaces around both, and quotes around commas",
        arguments: [
            ("1970-01-01T00:00:02Z,5", "5"), (" 1970-01-01T00:00:02.000000Z , herz ", "herz"),
            ("1970-01-01T01:00:02+01,\"a, b\"\r", "a, b"), ("1970-01-01T00:00:02Z,\"\"\"\"", "\""),
        ]
    )
    func stamped(line: String, value: String) throws {
        let points = try points([line + "\n"])
        #expect(points == [Datapoint(at: Timestamp(microseconds: 2_000_000), value: DatapointValue(value))])
    }

    @Test(
        "a line without its end is unfinished",
        arguments: [("", false), ("1\n", false), ("1\n2", true), ("1\n2\n", false)]
    )
    func unfinished(text: String, isUnfinished: Bool) throws {
        var (lines, points) = (PushLines(), [Datapoint]())
        try lines.take(Data(text.utf8), at: Self.now, into: &points)
        #expect(lines.hasUnfinishedLine == isUnfinished)
    }

    @Test("lines of helium cosm push are found wherever chunks are cut")
    func chunks() throws {
        let text = "1\n1970-01-01T00:00:02Z,käse\n3"
        let whole = try points([text])
        #expect(whole.map(\.value) == ["1", "käse", "3"])
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var (lines, points) = (PushLines(), [Datapoint]())
            try lines.take(Data(bytes[..<cut]), at: Self.now, into: &points)
            try lines.take(Data(bytes[cut...]), at: Self.now, into: &points)
            try lines.end(at: Self.now, into: &points)
            #expect(points == whole)
        }
    }

    @Test(
        "an invalid line of helium cosm push is reported with its number, after those before it",
        arguments: [
            "soon,5", "1970-01-01T00:00:02Z,5,6", "\"open", "2013-13-01T00:00:00Z,1", "2026-11-27T10:00:00Z,",
            "2026-11-27T10:00:00Z, ", "2026-11-27T10:00:00Z,\"\"", ",5", " ,5", "\"\",5", "\"\"", ",",
        ]
    )
    func bad(line: String) {
        var (lines, points) = (PushLines(), [Datapoint]())
        let error = #expect(throws: PushLines.BadLine.self) {
            try lines.take(Data("1\n\n2\n\(line)\n5\n".utf8), at: Self.now, into: &points)
        }
        #expect(error?.number == 4 && error?.reason.isEmpty == false)
        #expect(points.map(\.value) == ["1", "2"])
    }

    @Test(
        "a timestamp that is followed by another separator than a comma is not a value",
        arguments: [
            "2026-11-27T10:00:00Z 5", "2026-11-27T10:00:00Z;5", "2026-11-27T10:00:00Z\t5", "2026-11-27T10:00:00Z ",
            "2026-11-27T10:00:00.5+01:00 21.5", "2026-11-27T10:00:00 5",
        ]
    )
    func otherSeparators(line: String) throws {
        var (lines, points) = (PushLines(), [Datapoint]())
        let error = #expect(throws: PushLines.BadLine.self) {
            try lines.take(Data("1\n\(line)\n5\n".utf8), at: Self.now, into: &points)
        }
        #expect(error?.number == 2 && error?.reason.contains("comma") == true)
        #expect(points.map(\.value) == ["1"])
        // In quotation marks, or with a timestamp of its own, it is a text. Spaces at its end do not belong to it.
        let text = DatapointValue(line.trimmingCharacters(in: .whitespaces))
        #expect(try self.points(["\"\(line)\"\n"]).map(\.value) == [text])
        #expect(try self.points(["1970-01-01T00:00:02Z,\(line)x\n"]).map(\.value) == [DatapointValue(line + "x")])
    }

    @Test(
        "a text that only resembles a row is a value",
        arguments: ["2026-11-27T10:00:00Z", "2026-11-27 10", "soon 5", "2026-11-27;5", "at 2026-11-27T10:00:00Z 5"]
    )
    func texts(line: String) throws {
        #expect(try points([line + "\n"]).map(\.value) == [DatapointValue(line)])
    }

    @Test("a line that is not UTF-8 is invalid")
    func noText() {
        var (lines, points) = (PushLines(), [Datapoint]())
        let error = #expect(throws: PushLines.BadLine.self) {
            try lines.take(Data([0x31, 0x0A, 0xFF, 0x0A]), at: Self.now, into: &points)
        }
        #expect(error == PushLines.BadLine(number: 2, reason: "it is not UTF-8"))
    }

    @Test("the length of a line is limited, with or without an end", arguments: ["", "\n"])
    func length(end: String) throws {
        var (lines, points) = (PushLines(), [Datapoint]())
        let long = String(repeating: "1", count: PushLines.maximumLength)
        try lines.take(Data((long + "\n").utf8), at: Self.now, into: &points)
        let error = #expect(throws: PushLines.BadLine.self) {
            try lines.take(Data((long + "1" + end).utf8), at: Self.now, into: &points)
        }
        #expect(error?.number == 2)
    }
}

@Suite("Tables of the tool")
struct TextTableTests {
    @Test("columns of a table are aligned, without spaces after the last")
    func columns() {
        var table = TextTable("ID", "TITLE")
        table.add("504", "Shed")
        table.add("7", nil)
        #expect(table.text == "ID   TITLE\n504  Shed\n7    -")
    }

    @Test("columns are aligned after wide characters, flags and marks")
    func wideColumns() {
        var table = TextTable("NAME", "VALUE")
        let names = [
            "abcd", "温度", "🇩🇪ab", "👩\u{200D}👩\u{200D}👧ab", "cafe\u{301}", "👍🏽ab", "한글", "❤\u{FE0F}ab",
        ]
        for name in names { table.add(name, "1") }
        #expect(
            table.text.split(separator: "\n").dropFirst().allSatisfy { $0.hasSuffix("  1") && !$0.hasSuffix("   1") }
        )
    }

    @Test("control characters in a table are escaped")
    func harmless() {
        var table = TextTable("TITLE")
        table.add("a\u{1B}[2Jb\u{202E}c\nd")
        #expect(table.text == "TITLE\na\\u{1b}[2Jb\\u{202e}c\\nd")
    }
}
