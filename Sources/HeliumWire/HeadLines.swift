import HeliumCore
import HeliumEssentials

/// The state of a ``HeadParser``: what is expected next, and the section so far.
///
/// All of it is in one value, so that reading a head begins one access to a variable of the parser, which is checked, and
/// not one for each line and variable.
struct HeadLines {
    /// The result of reading bytes of a connection.
    enum Step {
        /// All bytes given were taken.
        case needsBytes
        /// The bytes from the position on are the beginning of a line.
        case needsLineEnd
        /// A whole head of an interim response.
        case interim(status: Int)
        /// The final status line.
        case status
        /// The final header section is complete.
        case complete
        /// The trailer section is complete.
        case end
        case fault(ResponseFault)
    }

    private enum Expected { case statusLine, fields, trailers }
    enum Version { case http1_0, http1_1, http2 }

    private(set) var status = 0
    private(set) var hasAnswered = false
    private(set) var isComplete = false
    private(set) var version = Version.http1_1
    private(set) var framing = BodyFraming()
    private(set) var connection = ConnectionOptions()
    private(set) var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private(set) var seenBytes = 0
    private(set) var limits = ResponseLimits()

    private var expected = Expected.statusLine
    private var capacity = 0
    private var seenFields = 0
    private var interimStatus = 0
    /// The last field of the section; its name has no bytes if there is none. It is read when the line after it shows
    /// that it is complete.
    private var last = (start: 0, nameCount: 0)

    /// Prepares for another response. The memory is kept.
    mutating func reset(limits: ResponseLimits) {
        self.limits = limits
        status = 0
        hasAnswered = false
        isComplete = false
        framing = BodyFraming()
        connection = ConnectionOptions()
        expected = .statusLine
        count = 0
        seenBytes = 0
        seenFields = 0
        last = (0, 0)
    }

    /// Releases the memory, and with it the section.
    mutating func release() {
        free(bytes)
        bytes = nil
        capacity = 0
        count = 0
    }

    /// Whether the memory for sections is larger than `limit`.
    func isLarger(than limit: Int) -> Bool { capacity > limit }

    /// The number of bytes that the response may still have in its header sections.
    var remainingBytes: Int { max(0, limits.headerBytes - seenBytes) }

    /// The fault of a response with more bytes in its header sections.
    var byteFault: ResponseFault { .ceiling(.headerBytes, limit: limits.headerBytes) }

    /// Processes one line, including its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> HeadParser.Event {
        let (total, isOver) = seenBytes.addingReportingOverflow(line.count)
        guard !isOver, total <= limits.headerBytes else { return .fault(byteFault) }
        seenBytes = total
        if expected == .statusLine { return takeStatusLine(line) }
        if HeadLines.isEnd(line) { return endSection() }
        seenFields += 1
        guard seenFields <= limits.headerCount else {
            return .fault(.ceiling(.headerCount, limit: limits.headerCount))
        }
        return takeField(line)
    }

    /// Processes a field of HTTP/2 like its line in HTTP/1. nghttp2 has checked its name and value.
    mutating func takeField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> HeadParser.Event {
        // Their lengths are those of frames, so the sum can't overflow.
        let size = name.count + value.count + 4
        guard size <= remainingBytes else { return .fault(byteFault) }
        seenBytes += size
        if expected == .statusLine { return .fault(.malformed(HeadLines.notHTTP)) }
        seenFields += 1
        guard seenFields <= limits.headerCount else {
            return .fault(.ceiling(.headerCount, limit: limits.headerCount))
        }
        if expected == .trailers { return .none }
        noteLast()
        last = (count, name.count)
        guard let start = room(for: size) else { return .fault(.outOfMemory) }
        count += size
        UnsafeMutableRawBufferPointer(start: start, count: name.count).copyMemory(from: name)
        start.storeBytes(of: UInt8(ascii: ":"), toByteOffset: name.count, as: UInt8.self)
        start.storeBytes(of: 0x20, toByteOffset: name.count + 1, as: UInt8.self)
        UnsafeMutableRawBufferPointer(start: start + name.count + 2, count: value.count).copyMemory(from: value)
        start.storeBytes(of: 0x0D, toByteOffset: size - 2, as: UInt8.self)
        start.storeBytes(of: 0x0A, toByteOffset: size - 1, as: UInt8.self)
        return .none
    }

    /// Whether a line is the empty one at the end of a section.
    private static func isEnd(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
    }
}

// MARK: Bytes of a connection

extension HeadLines {
    /// Splits the bytes from `position` on into lines of HTTP/1 and processes them until there is an event.
    mutating func read(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Step {
        while position < bytes.count {
            if expected == .fields {
                guard takeFields(bytes, from: &position) else { return .fault(.outOfMemory) }
                if position == bytes.count { break }
            }
            guard let end = LineEnd.find(in: bytes, from: position) else { return .needsLineEnd }
            let line = UnsafeRawBufferPointer(rebasing: bytes[position..<end.index])
            // Most lines need no closer look.
            if expected == .statusLine || line.count > remainingBytes, let fault = fault(ofPart: line, at: 0) {
                return .fault(fault)
            }
            guard end.isClean else {
                return .fault(.malformed("a header line has a zero byte or a bare carriage return"))
            }
            position = end.index
            switch take(line) {
            case .none where HeadLines.isEnd(line):
                return expected == .trailers ? .end : .interim(status: interimStatus)
            case .none: continue
            case .interim: interimStatus = status
            case .status: return .status
            case .complete: return .complete
            case .fault(let fault): return .fault(fault)
            }
        }
        return .needsBytes
    }

    /// Takes the valid field lines from `position` on that are complete and within the limits, and keeps them all at once.
    /// The line that follows them needs a closer look. Returns `false` if there is not enough memory.
    @inline(__always)
    private mutating func takeFields(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Bool {
        let start = position
        let room = remainingBytes
        let fieldLimit = max(0, limits.headerCount) &- seenFields
        var fields = 0
        var line = start
        var nameCount = 0
        var next = start
        while fields < fieldLimit {
            let colon = bytes.endOfToken(from: next)
            guard colon > next, colon < bytes.count, bytes[colon] == UInt8(ascii: ":"),
                let end = LineEnd.find(in: bytes, from: colon &+ 1), end.isClean, end.index &- start <= room
            else { break }
            // This line shows that the one before is complete.
            if fields == 0 {
                noteLast()
            } else if HeadLines.isOfInterest(nameCount) {
                note(UnsafeRawBufferPointer(rebasing: bytes[line..<next]), nameCount)
            }
            line = next
            nameCount = colon &- next
            next = end.index
            fields &+= 1
        }
        if fields == 0 { return true }
        last = (count &+ (line &- start), nameCount)
        seenFields &+= fields
        seenBytes &+= next &- start
        position = next
        return keep(UnsafeRawBufferPointer(rebasing: bytes[start..<next]))
    }

    /// Returns the reason why a line can't have `part` from its byte `offset` on: it is no status line of HTTP/1, or it
    /// is too long. A peer that speaks something else is recognized before the line ends.
    func fault(ofPart part: UnsafeRawBufferPointer, at offset: Int) -> ResponseFault? {
        if expected == .statusLine, !part.agrees(with: "HTTP/1.", from: offset) {
            return .malformed(HeadLines.notHTTP)
        }
        return part.count > remainingBytes - offset ? byteFault : nil
    }
}

// MARK: Lines

extension HeadLines {
    /// Parses a status line (RFC 9112 §4): `HTTP/1.1 200 OK`. HTTP/2 has no such line; the one in its place begins
    /// with `HTTP/2 200`.
    private mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) -> HeadParser.Event {
        let digits = line.count > 9 && line.agrees(with: "HTTP/1.") ? 9 : 7
        guard line.count > digits + 3, line[digits - 1] == 0x20, let code = Self.status(line, at: digits) else {
            return .fault(.malformed(HeadLines.notHTTP))
        }
        let end = line[digits + 3]
        guard end == 0x20 || end == 0x0D || end == 0x0A else { return .fault(.malformed(HeadLines.notHTTP)) }
        if digits == 7 {
            guard line.agrees(with: "HTTP/2") else { return .fault(.malformed(HeadLines.notHTTP)) }
            version = .http2
        } else {
            switch line[7] {
            case UInt8(ascii: "1"): version = .http1_1
            case UInt8(ascii: "0"): version = .http1_0
            default: return .fault(.malformed(HeadLines.notHTTP))
            }
        }
        hasAnswered = true
        count = 0
        last = (0, 0)
        expected = .fields
        status = code
        if code == 101 { return .fault(.malformed("the server switched protocols without a request to do so")) }
        return code < 200 ? .interim : .status
    }

    private mutating func takeField(_ line: UnsafeRawBufferPointer) -> HeadParser.Event {
        let nameCount = line.endOfToken(from: 0)
        guard nameCount > 0, nameCount < line.count, line[nameCount] == UInt8(ascii: ":") else {
            return takeContinuation(line)
        }
        if expected == .trailers {
            last.nameCount = nameCount
            return .none
        }
        noteLast()
        last = (count, nameCount)
        return keep(line) ? .none : .fault(.outOfMemory)
    }

    /// Joins a line that begins with white space to the field before it. Any other line is invalid.
    private mutating func takeContinuation(_ line: UnsafeRawBufferPointer) -> HeadParser.Event {
        guard let first = line.first, first == 0x20 || first == 0x09, last.nameCount > 0 else {
            return .fault(.malformed("the response has an invalid header line"))
        }
        if expected == .trailers { return .none }
        let kept = UnsafeRawBufferPointer(start: bytes, count: count)
        let valueStart = last.start + last.nameCount + 1
        while count > valueStart, [0x20, 0x09, 0x0A, 0x0D].contains(kept[count - 1]) { count -= 1 }
        var start = 0
        while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        // The last white space becomes the space that joins the two.
        let rest = UnsafeRawBufferPointer(rebasing: line[(start - 1)...])
        guard keep(rest), let bytes else { return .fault(.outOfMemory) }
        bytes.storeBytes(of: 0x20, toByteOffset: count - rest.count, as: UInt8.self)
        return .none
    }

    /// Reads the last field, which is complete, if it concerns the body or the connection.
    @inline(__always)
    private mutating func noteLast() {
        guard HeadLines.isOfInterest(last.nameCount), let bytes else { return }
        note(UnsafeRawBufferPointer(start: bytes + last.start, count: count - last.start), last.nameCount)
    }

    /// Returns whether a field may concern the body or the connection, by the length of its name.
    @inline(__always)
    private static func isOfInterest(_ nameCount: Int) -> Bool {
        switch nameCount {
        case 10, 14, 16, 17: true
        default: false
        }
    }

    private mutating func note(_ line: UnsafeRawBufferPointer, _ nameCount: Int) {
        guard status >= 200 else { return }
        if nameCount == 10 { connection.note(line) } else { framing.note(line) }
    }

    private mutating func endSection() -> HeadParser.Event {
        guard expected == .fields else { return .none }
        if status < 200 {
            expected = .statusLine
            count = 0
            status = 0
            return .none
        }
        noteLast()
        last = (0, 0)
        expected = .trailers
        if let fault = framing.fault(isHTTP1_0: version == .http1_0) { return .fault(.malformed(fault)) }
        isComplete = true
        return .complete
    }

    /// Keeps bytes of the section. Returns `false` if there is not enough memory.
    private mutating func keep(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let end = room(for: line.count) else { return false }
        if let start = line.baseAddress { memcpy(end, start, line.count) }
        count += line.count
        return true
    }

    /// The place after the section, with memory for this number of bytes; `nil` if there is not enough.
    private mutating func room(for more: Int) -> UnsafeMutableRawPointer? {
        if count + more > capacity {
            let wanted = max(1024, capacity * 2, count + more)
            guard let larger = realloc(bytes, wanted) else { return nil }
            bytes = larger
            capacity = wanted
        }
        return bytes.map { $0 + count }
    }

    /// The message for a line that is not a status line.
    static var notHTTP: String { "the response is not valid HTTP" }

    /// Parses three digits, at least 100.
    private static func status(_ line: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var code = 0
        for byte in line[start..<(start + 3)] {
            guard byte &- 48 < 10 else { return nil }
            code = code * 10 + Int(byte &- 48)
        }
        return code >= 100 ? code : nil
    }
}
