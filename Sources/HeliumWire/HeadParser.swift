package import HeliumCore
import HeliumEssentials

/// Parses the head of a response line by line. It keeps the final header section as the received
/// bytes, ignores interim responses (1xx) and trailers, and counts all of them against the ceilings.
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
    /// The framing and content coding of the body, from the final header section.
    package private(set) var framing = BodyFraming()

    private var expected = Expected.statusLine
    private var bytes: UnsafeMutableRawPointer?
    private var count = 0
    private var capacity = 0
    private var seenBytes = 0
    private var seenFields = 0
    private var limits = ResponseLimits()

    package init() {}

    deinit { free(bytes) }

    /// Prepares for another response. The memory is kept.
    package func reset(limits: ResponseLimits) {
        self.limits = limits
        status = 0
        hasAnswered = false
        isComplete = false
        framing = BodyFraming()
        expected = .statusLine
        count = 0
        seenBytes = 0
        seenFields = 0
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

    /// Processes one line, including its line end.
    package func take(_ line: UnsafeRawBufferPointer) -> Event {
        let (total, isOver) = seenBytes.addingReportingOverflow(line.count)
        guard !isOver, total <= limits.headerBytes else {
            return .fault(.ceiling(.headerBytes, limit: limits.headerBytes))
        }
        seenBytes = total
        if expected == .statusLine { return takeStatusLine(line) }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { return endSection() }
        seenFields += 1
        guard seenFields <= limits.headerCount else {
            return .fault(.ceiling(.headerCount, limit: limits.headerCount))
        }
        if expected == .fields {
            if status >= 200, BodyFraming.concerns(line) { framing.note(line) }
            if !keep(line) { return .fault(.outOfMemory) }
        }
        return .none
    }

    private func takeStatusLine(_ line: UnsafeRawBufferPointer) -> Event {
        // The form is "HTTP/1.1 200 OK" or "HTTP/2 200". libcurl has checked it.
        guard let space = line.firstIndex(of: 0x20), space > 5 else { return .none }
        var code = 0
        for byte in line[(space + 1)...].prefix(3) where byte &- 48 < 10 { code = code * 10 + Int(byte &- 48) }
        hasAnswered = true
        count = 0
        expected = .fields
        status = code
        if code == 101 { return .fault(.malformed("the server switched protocols without a request to do so")) }
        if code < 200 { return .interim }
        version = HeadParser.version(UnsafeRawBufferPointer(rebasing: line[5..<space]))
        return .status
    }

    private func endSection() -> Event {
        guard expected == .fields else { return .none }
        if status < 200 {
            expected = .statusLine
            count = 0
            status = 0
            return .none
        }
        expected = .trailers
        if let fault = framing.fault { return .fault(.malformed(fault)) }
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

    private static func version(_ text: UnsafeRawBufferPointer) -> ResponseHead.Version {
        if text.elementsEqual("1.1".utf8) { return .http1_1 }
        if text.elementsEqual("2".utf8) { return .http2 }
        if text.elementsEqual("1.0".utf8) { return .http1_0 }
        return ResponseHead.Version(rawValue: String(decoding: text, as: UTF8.self))
    }
}
