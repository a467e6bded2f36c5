internal import HTTPTypes
internal import HeliumCore
internal import HeliumWire

extension FuzzTarget {
    static let responseHeads = FuzzTarget(
        "response-heads",
        examples: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\n",
            "HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.0 404 No\r\ncontent-encoding: gzip\r\n\r\nTrailer: c\r\n\r\n",
            "HTTP/2 103 \r\nLink: <a>\r\n\r\nHTTP/2 200 \r\nx: y\r\ncontent-length: 7, 7\r\n\r\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nA: b\n\n",
        ],
        pieces: framingPieces + [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 \r\n", "HTTP/1.1 101 \r\n", "HTTP/3 204 \r\n", "HTTP/ 200\n",
            "\r\n\r\n",
            "A: b\r\n", " c\r\n", "\n\n\n\n\n\n\n\n",
        ],
        check: HeadFuzz.head
    )

    static let bodyFraming = FuzzTarget(
        "body-framing",
        examples: [
            "Content-Length: 5\r\ncontent-length: 5, 5\r\n",
            "Content-Encoding: identity, gzip\r\nTransfer-Encoding: chunked\r\n",
            "Content-Encoding: x-gzip\nContent-Encoding: br, deflate\n",
            "Transfer-Encoding: gzip, chunked\r\nContent-Length:\r\n",
        ],
        pieces: framingPieces,
        check: HeadFuzz.framing
    )

    private static let framingPieces = [
        "Content-Length:", "content-length: 5\r\n", "Content-Encoding: ", "Transfer-Encoding:", "5", "0", "+", "-",
        "9223372036854775807", "9223372036854775808", ",", ", ", " ", "\t", "\r", "\n", "\r\n", ":", "gzip", "x-gzip",
        "deflate", "identity", "chunked", "br", "\0", "é",
    ]
}

/// Reads the lines of a head as the transport does.
package enum HeadFuzz {
    private static let limits: ResponseLimits = {
        var limits = ResponseLimits()
        limits.headerBytes = 1 << 10
        limits.headerCount = 16
        return limits
    }()

    /// Checks that a parser keeps exactly the lines between the final status and the end of the section, whatever it read
    /// before, and that the body's framing agrees with the fields that the caller sees.
    package static func head(_ bytes: [UInt8]) throws {
        let lines = lines(of: bytes)
        let parser = HeadParser()
        let events = read(lines, parser)

        // A slot uses its parser for one response after the other.
        let used = HeadParser()
        _ = read(lines.suffix(lines.count / 2), used)
        guard read(lines, used) == events, outcome(of: used) == outcome(of: parser) else {
            throw FuzzFinding("an earlier response changes what is read of \(bytes)")
        }

        let end = events.firstIndex(of: .complete)
        guard parser.isComplete == (end != nil) else { throw FuzzFinding("an incomplete head is said to be complete") }
        guard let end else { return }
        guard let start = events.firstIndex(of: .status), start < end, events.lastIndex(of: .status) == start,
            parser.status >= 200
        else { throw FuzzFinding("a head is complete without one final status") }
        let fields = joined(lines[(start + 1)..<end])
        guard fields.count <= limits.headerCount, parser.section.count <= limits.headerBytes,
            parser.section == Array(fields.joined())
        else { throw FuzzFinding("the section is not that of the final response") }

        // What the parser leaves out because it can't concern the body.
        var framing = BodyFraming()
        for line in fields { line.withUnsafeBytes { framing.note($0) } }
        guard description(of: framing) == description(of: parser.framing) else {
            throw FuzzFinding("the framing lacks a field of \(bytes)")
        }
        try compare(framing, ResponseHead(status: parser.status, section: parser.section))
    }

    /// Checks that a list of values in one field means the same as one field for each (RFC 9110 §5.3), in any letter case.
    package static func framing(_ bytes: [UInt8]) throws {
        var whole = BodyFraming()
        var pieces = BodyFraming()
        var lower = BodyFraming()
        for line in lines(of: bytes) {
            let before = description(of: whole)
            let concerns = line.withUnsafeBytes {
                whole.note($0); return BodyFraming.concerns($0)
            }
            guard concerns || description(of: whole) == before else {
                throw FuzzFinding("\(line) changes the framing, which it does not concern")
            }
            if hasBlankLength(line), whole.fault == nil { throw FuzzFinding("\(line) is accepted") }
            for piece in elements(of: line) { piece.withUnsafeBytes { pieces.note($0) } }
            line.map { 65...90 ~= $0 ? $0 | 32 : $0 }.withUnsafeBytes { lower.note($0) }
        }
        guard description(of: whole) == description(of: pieces) else {
            throw FuzzFinding("a field for each value changes the framing of \(bytes)")
        }
        guard description(of: whole) == description(of: lower) else {
            throw FuzzFinding("letter case changes the framing of \(bytes)")
        }
        guard whole.length ?? 0 >= 0 else { throw FuzzFinding("a negative length") }
    }
}

// MARK: Lines

extension HeadFuzz {
    /// The lines with their ends. libcurl delivers no others.
    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let feed = rest.firstIndex(of: 10) {
            lines.append(rest[...feed])
            rest = rest[(feed + 1)...]
        }
        return lines
    }

    /// The lines with each that begins with white space joined to the one before.
    private static func joined(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        for line in lines {
            if line.first == 32 || line.first == 9, var last = fields.popLast() {
                while let byte = last.last, isBlank(byte) { last.removeLast() }
                fields.append(last + [32] + line.drop { $0 == 32 || $0 == 9 })
            } else {
                fields.append(line)
            }
        }
        return fields
    }

    private static func read(_ lines: [ArraySlice<UInt8>], _ parser: HeadParser) -> [HeadParser.Event] {
        parser.reset(limits: limits)
        var events: [HeadParser.Event] = []
        for line in lines {
            let event = line.withUnsafeBytes { parser.take($0) }
            events.append(event)
            if case .fault = event { break }
        }
        return events
    }

    /// A line for each value of a field with several. Blank values count for nothing, except that a length can't have one.
    private static func elements(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return [line] }
        let values = values(line[(colon + 1)...])
        return values.count > 1 && !hasBlankLength(line) ? values.map { line[...colon] + $0 } : [line]
    }

    /// Whether a line is a `Content-Length` with a blank value.
    private static func hasBlankLength(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-length"
        else { return false }
        return line[(colon + 1)...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .contains { $0.allSatisfy(isBlank) }
    }

    private static func values(_ list: some Collection<UInt8>) -> [[UInt8]] {
        [UInt8](list).split(separator: UInt8(ascii: ",")).map { [UInt8]($0) }.filter { !$0.allSatisfy(isBlank) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
}

// MARK: Results

extension HeadFuzz {
    /// The length by which a body is received is the length that the fields say.
    private static func compare(_ framing: BodyFraming, _ head: ResponseHead) throws {
        let lengths = head.fields[values: .contentLength].flatMap { values($0.utf8) }.map { value in
            Int64(String(decoding: value.filter { !isBlank($0) }, as: UTF8.self))
        }
        guard lengths.allSatisfy({ $0 == framing.length }), lengths.isEmpty == (framing.length == nil) else {
            throw FuzzFinding("the fields say \(lengths), the framing \(framing)")
        }
    }

    private static func outcome(of parser: HeadParser) -> String {
        // The version is that of a final status.
        let version = parser.isComplete ? parser.version.rawValue : ""
        let framing = description(of: parser.framing)
        return "\(parser.status) \(parser.hasAnswered) \(parser.isComplete) \(version) \(parser.section) \(framing)"
    }

    private static func description(of framing: BodyFraming) -> String {
        let length = framing.length.map { "\($0)" } ?? "-"
        return "\(length) \(framing.coding) \(framing.isChunked) \(framing.fault ?? "-")"
    }
}
