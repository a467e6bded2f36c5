package import HeliumCore
import HeliumEssentials

/// Parses the head of a response line by line. It keeps the final header section as the received
/// bytes, ignores interim responses (1xx) and trailers, and counts all of them against the ceilings.
///
/// A line that continues the one before (obs-fold, RFC 9112 §5.2) is joined to it by one space.
///
/// A class, like its slot: while a method changes one of the slot's variables, that variable is checked for overlapping
/// access. For a struct these checks cost more than the parsing.
package final class HeadParser {
    /// The effect of a line on the transfer.
    package enum Event: Equatable {
        case none
        /// The status line of an interim response, which shows that the server is active.
        case interim
        /// The final status line.
        case status
        /// The final header section is complete.
        case complete
        case fault(ResponseFault)
    }

    private enum Expected { case statusLine, fields, trailers }

    /// The status of the final response; 0 before it arrives.
    package private(set) var status = 0
    /// Whether any status line has arrived, including an interim one.
    package private(set) var hasAnswered = false
    /// Whether the final header section is complete.
    package private(set) var isComplete = false
    package private(set) var version = ResponseHead.Version.http1_1
    /// Whether the version is that of HTTP/1.0.
    package private(set) var isHTTP1_0 = false
    /// The framing and content coding of the body, from the final header section.
    package private(set) var framing = BodyFraming()
    /// How long the server keeps the connection, from the final header section.
    package private(set) var connection = ConnectionOptions()

    private var expected = Expected.statusLine
    private var bytes: UnsafeMutableRawPointer?
    private var count = 0
    private var capacity = 0
    private var seenBytes = 0
    private var seenFields = 0
    private var limits = ResponseLimits()
    /// The last field of the section; its name has no bytes if there is none. It is read when the line after it shows
    /// that it is complete.
    private var last = (start: 0, nameCount: 0)

    package init() {}

    deinit { free(bytes) }

    /// Prepares for another response. The memory is kept.
    package func reset(limits: ResponseLimits) {
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

    /// Releases the memory that an unusually large response required.
    package func shrink(to limit: Int) {
        guard capacity > limit else { return }
        free(bytes)
        bytes = nil
        capacity = 0
        count = 0
    }

    /// Whether only the end of the connection determines the end of the body (RFC 9112 §6.3). For responses that can
    /// have a body.
    package var endsWithConnection: Bool {
        guard status != 204, status != 304, !framing.isChunked, framing.length == nil else { return false }
        return version == .http1_1 || version == .http1_0
    }

    /// The final header section.
    package var section: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)) }

    /// The number of bytes that the response may still have in its header sections.
    package var remainingBytes: Int { max(0, limits.headerBytes - seenBytes) }

    /// The fault of a response with more bytes in its header sections.
    package var byteFault: ResponseFault { .ceiling(.headerBytes, limit: limits.headerBytes) }

    /// Processes one line, including its line end.
    package func take(_ line: UnsafeRawBufferPointer) -> Event {
        let (total, isOver) = seenBytes.addingReportingOverflow(line.count)
        guard !isOver, total <= limits.headerBytes else { return .fault(byteFault) }
        seenBytes = total
        if expected == .statusLine { return takeStatusLine(line) }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { return endSection() }
        seenFields += 1
        guard seenFields <= limits.headerCount else {
            return .fault(.ceiling(.headerCount, limit: limits.headerCount))
        }
        return takeField(line)
    }
}

// MARK: Lines

extension HeadParser {
    /// Parses a status line (RFC 9112 §4): `HTTP/1.1 200 OK`. HTTP/2 has no such line; the one in its place begins
    /// with `HTTP/2 200`.
    private func takeStatusLine(_ line: UnsafeRawBufferPointer) -> Event {
        let digits = line.count > 9 && line.agrees(with: "HTTP/1.") ? 9 : 7
        guard line.count > digits + 3, line[digits - 1] == 0x20, let code = Self.status(line, at: digits) else {
            return .fault(.malformed(HeadParser.notHTTP))
        }
        let end = line[digits + 3]
        guard end == 0x20 || end == 0x0D || end == 0x0A else { return .fault(.malformed(HeadParser.notHTTP)) }
        isHTTP1_0 = false
        if digits == 7 {
            guard line.agrees(with: "HTTP/2") else { return .fault(.malformed(HeadParser.notHTTP)) }
            version = .http2
        } else if line[7] == UInt8(ascii: "1") {
            version = .http1_1
        } else if line[7] == UInt8(ascii: "0") {
            version = .http1_0
            isHTTP1_0 = true
        } else {
            return .fault(.malformed(HeadParser.notHTTP))
        }
        hasAnswered = true
        count = 0
        last = (0, 0)
        expected = .fields
        status = code
        if code == 101 { return .fault(.malformed("the server switched protocols without a request to do so")) }
        return code < 200 ? .interim : .status
    }

    private func takeField(_ line: UnsafeRawBufferPointer) -> Event {
        var nameCount = 0
        while nameCount < line.count, line[nameCount].isTokenCharacter { nameCount += 1 }
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
    private func takeContinuation(_ line: UnsafeRawBufferPointer) -> Event {
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
    private func noteLast() {
        switch last.nameCount {
        case 10, 14, 16, 17: noteField()
        default: break
        }
    }

    private func noteField() {
        guard status >= 200, let bytes else { return }
        let line = UnsafeRawBufferPointer(start: bytes + last.start, count: count - last.start)
        if last.nameCount == 10 { connection.note(line) } else { framing.note(line) }
    }

    private func endSection() -> Event {
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
        if let fault = framing.fault(isHTTP1_0: isHTTP1_0) { return .fault(.malformed(fault)) }
        isComplete = true
        return .complete
    }

    private func keep(_ line: UnsafeRawBufferPointer) -> Bool {
        if count + line.count > capacity {
            let wanted = max(1024, capacity * 2, count + line.count)
            guard let larger = realloc(bytes, wanted) else { return false }
            bytes = larger
            capacity = wanted
        }
        if let bytes, let start = line.baseAddress { memcpy(bytes + count, start, line.count) }
        count += line.count
        return true
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
