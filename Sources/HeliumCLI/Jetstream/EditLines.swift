import Foundation
import HeliumKit
import JetstreamCore

/// Parses lines with change sets from chunks of any size. Blank lines are ignored.
struct EditLines {
    /// A change set.
    struct Line: Hashable {
        /// The line number. The first is 1.
        let number: Int
        let fragments: [SyncFragment]
        let isAtomic: Bool
        let procedure: String?
    }

    /// The error thrown for a line that is not a change set.
    struct BadLine: Error, Hashable, CustomStringConvertible {
        let number: Int
        let reason: String

        var description: String { "line \(number): \(reason)" }
    }

    /// The maximum length of a line in bytes. It equals the maximum length of a frame.
    static let maximumLength = 16 << 20

    private var count = 0
    private var rest: [UInt8] = []

    /// Parses the lines that end in a chunk. Change sets before an invalid line are added too.
    mutating func take(_ chunk: Data, into lines: inout [Line]) throws(BadLine) {
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += chunk[start..<end]
            start = chunk.index(after: end)
            if let line = try takeLine() { lines.append(line) }
        }
        rest += chunk[start...]
        if rest.count > Self.maximumLength { throw BadLine(number: count + 1, reason: "it is too long") }
    }

    /// Returns the change set of a last line without a line feed; `nil` if there is none.
    mutating func end() throws(BadLine) -> Line? { try takeLine() }

    private mutating func takeLine() throws(BadLine) -> Line? {
        let bytes = rest
        rest = []
        count += 1
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
        if bytes.allSatisfy(blanks.contains) { return nil }
        if bytes.count > Self.maximumLength { throw BadLine(number: count, reason: "it is too long") }
        return try Self.line(bytes, number: count)
    }

    private static func line(_ bytes: [UInt8], number: Int) throws(BadLine) -> Line {
        func bad(_ reason: String) -> BadLine { BadLine(number: number, reason: reason) }
        guard let json = try? JSONValue(parsing: bytes), case .object(let members) = json else {
            throw bad("it is not a JSON object")
        }
        guard let fragments = members["fragments"]?.arrayValue else { throw bad("\"fragments\" must be an array") }
        let known = ["fragments", "atomic", "procedure"]
        if let name = members.names.first(where: { !known.contains($0) }) { throw bad("unknown member \"\(name)\"") }
        var read: [SyncFragment] = []
        for (index, fragment) in fragments.enumerated() {
            guard let fragment = SyncFragment(json: fragment) else {
                throw bad("fragment \(index + 1) needs type (add or change), uuid, clsName and properties")
            }
            read.append(fragment)
        }
        if let atomic = members["atomic"], atomic.boolValue == nil { throw bad("\"atomic\" must be true or false") }
        if let procedure = members["procedure"], procedure.stringValue == nil {
            throw bad("\"procedure\" must be a string such as Card.rename")
        }
        return Line(
            number: number,
            fragments: read,
            isAtomic: members["atomic"]?.boolValue ?? false,
            procedure: members["procedure"]?.stringValue
        )
    }
}
