import HeliumBytes
import HeliumCore

/// Reads the responses on one connection, one after the other (RFC 9112).
///
/// It takes bytes and returns events, and does no I/O. How the bytes are divided among the calls does not change the
/// events, except that the data of a body is in other pieces. It holds at most one incomplete line of a header section,
/// within ``ResponseLimits/headerBytes``. Which input it rejects is listed in Docs/Protocols/HTTP.md.
package struct HTTP1Reader: ~Copyable {
    package enum Event {
        /// All bytes given were taken.
        case needsBytes
        /// A whole head of an interim response (1xx).
        case interim(status: Int)
        /// The final status line has arrived.
        case status
        /// The final head is complete.
        case head
        /// A part of the body, inside the bytes given.
        case body(UnsafeRawBufferPointer)
        /// The response is complete. Bytes after it are not taken.
        case end(isReusable: Bool)
        case fault(ResponseFault)
    }

    /// The meaning of the end of the peer's bytes.
    package enum EndEvent: Equatable {
        /// The response is complete, or there was none to read. The connection can't be used again.
        case end
        case fault(ResponseFault)
        /// The response is incomplete. The text describes how much of it is missing.
        case lost(String)
    }

    private enum State {
        /// Between responses.
        case idle
        case statusLine, fields
        case bytes(Int64)
        case chunks
        case trailers
        case untilEnd
        /// The response is complete, which was not reported yet.
        case finished
        case failed
    }

    private var state = State.idle
    /// The reason why nothing more can be read.
    private var failure = ResponseFault.outOfMemory
    private var head: HeadParser?
    private var context = ResponseContext()
    private var chunks = ChunkedBody()
    /// The beginning of a line of a header section that has not ended.
    private var line = ByteQueue(keeping: 1 << 10)
    private var isReusable = false
    /// Whether some byte of the current response was read.
    package private(set) var isMidway = false
    /// The time that the server keeps the connection when it is idle, from `Keep-Alive: timeout` of the last head.
    package private(set) var keepAlive: Duration?

    package init() {}

    /// Begins to read the response to a request. The caller has reset `head`, which gets the lines.
    package mutating func begin(_ request: ResponseContext, head: HeadParser) {
        context = request
        self.head = head
        state = .statusLine
        isMidway = false
        isReusable = false
        line.removeAll()
    }

    /// The rest of a body with a length, which can be read straight into its memory; `nil` at any other time.
    package var remainingBytes: Int64? {
        if case .bytes(let count) = state { count } else { nil }
    }

    /// Takes bytes of a body that were read straight into its memory.
    ///
    /// - Parameter count: At most ``remainingBytes``. After the last bytes, ``read(_:from:)`` returns the end.
    package mutating func didTakeBody(_ count: Int) {
        guard let remainingBytes else { return }
        let rest = max(0, remainingBytes - Int64(count))
        state = rest == 0 ? .finished : .bytes(rest)
    }

    /// Takes bytes from `position` on until there is an event.
    ///
    /// Call it again after each event but `needsBytes`, `end` and `fault`, even when `position` is the end of the
    /// bytes. The end of a response may need none.
    package mutating func read(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Event {
        while true {
            switch state {
            case .statusLine, .fields, .trailers:
                if let event = readHead(bytes, from: &position) { return event }
            case .bytes(let count):
                guard position < bytes.count else { return .needsBytes }
                let data = part(of: bytes, from: &position, upTo: count)
                let rest = count - Int64(data.count)
                state = rest == 0 ? .finished : .bytes(rest)
                return .body(data)
            case .untilEnd:
                guard position < bytes.count else { return .needsBytes }
                return .body(part(of: bytes, from: &position, upTo: .max))
            case .chunks:
                switch chunks.read(bytes, from: &position) {
                case .needsBytes: return .needsBytes
                case .data(let data): return .body(data)
                case .end: state = .trailers
                case .invalid: return fail(.malformed("the chunked coding of the body is invalid"))
                }
            case .finished:
                finish()
                return .end(isReusable: isReusable)
            case .idle:
                guard position < bytes.count else { return .needsBytes }
                return fail(.malformed("the server sent bytes without a request"))
            case .failed: return .fault(failure)
            }
        }
    }

    /// Reports the end of the bytes.
    ///
    /// - Parameters:
    ///   - isOrderly: Whether the peer ended TLS with close_notify.
    ///   - isSecure: Whether the connection uses TLS.
    package mutating func end(isOrderly: Bool, isSecure: Bool) -> EndEvent {
        switch state {
        case .idle: return .end
        case .finished:
            finish()
            return .end
        case .failed: return .fault(failure)
        case .untilEnd where isSecure && !isOrderly:
            // Anyone on the way can end the connection of TCP, so the body may be cut (RFC 9112 §9.8).
            fail(.malformed("the TLS connection ended without close_notify, and the body has no length"))
            return .fault(failure)
        case .untilEnd:
            finish()
            return .end
        case .statusLine where !isMidway: return .lost("the connection ended before the response was complete")
        case .statusLine, .fields: return .lost("the connection ended before the header section was complete")
        case .bytes, .chunks, .trailers: return .lost("the connection ended before the body was complete")
        }
    }
}

// MARK: Header sections

extension HTTP1Reader {
    /// Reads lines of a header section, or the beginning of one.
    private mutating func readHead(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Event? {
        // The parser moves out and back, so that its references need not be counted.
        guard position < bytes.count, let head = head.take() else { return .needsBytes }
        isMidway = true
        let event = readHead(bytes, from: &position, head)
        if case .failed = state { return event }
        self.head = head
        return event
    }

    private mutating func readHead(
        _ bytes: UnsafeRawBufferPointer,
        from position: inout Int,
        _ head: HeadParser
    ) -> Event? {
        if !line.isEmpty { return continueLine(bytes, from: &position, head) }
        switch head.read(bytes, from: &position) {
        case .needsBytes: return .needsBytes
        case .needsLineEnd:
            let part = UnsafeRawBufferPointer(rebasing: bytes[position...])
            position = bytes.count
            return keepLine(part, head) ?? .needsBytes
        case let step: return take(step, head)
        }
    }

    /// Completes the line whose beginning was kept. Returns `nil` if it makes no event.
    private mutating func continueLine(
        _ bytes: UnsafeRawBufferPointer,
        from position: inout Int,
        _ head: HeadParser
    ) -> Event? {
        let end = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 }
        let part = UnsafeRawBufferPointer(rebasing: bytes[position..<(end ?? bytes.count)])
        position += part.count
        if let fault = keepLine(part, head) { return fault }
        guard end != nil else { return .needsBytes }
        let step = line.withBytes { span in
            span.withUnsafeBytes { line in
                var start = 0
                return head.read(line, from: &start)
            }
        }
        line.removeAll()
        return take(step, head)
    }

    /// Keeps a part of a line. Returns a fault if it can't be one.
    private mutating func keepLine(_ part: UnsafeRawBufferPointer, _ head: HeadParser) -> Event? {
        if let fault = head.fault(ofPart: part, at: line.count) { return fail(fault) }
        line.append(part)
        return nil
    }

    private mutating func take(_ step: HeadLines.Step, _ head: HeadParser) -> Event? {
        switch step {
        case .needsBytes, .needsLineEnd: return nil
        case .interim(let status):
            state = .statusLine
            return .interim(status: status)
        case .status:
            state = .fields
            return .status
        case .complete:
            beginBody(head)
            return .head
        case .end:
            state = .finished
            return nil
        case .fault(let fault): return fail(fault)
        }
    }
}

// MARK: Responses

extension HTTP1Reader {
    /// Determines the body that follows the head (RFC 9112 §6.3), and whether the connection stays open after it
    /// (RFC 9112 §9.3).
    private mutating func beginBody(_ head: HeadParser) {
        let framing = head.framing
        let status = head.status
        keepAlive = head.connection.idleSeconds.map { .seconds($0) }
        isReusable = head.isPersistent
        if context.isConnect, 200..<300 ~= status {
            // The bytes that follow are those of the tunnel.
            isReusable = false
            state = .finished
        } else if context.isHead || status == 204 || status == 304 {
            state = .finished
        } else if framing.isChunked {
            chunks = ChunkedBody()
            state = .chunks
        } else if let length = framing.length {
            state = length == 0 ? .finished : .bytes(length)
        } else {
            isReusable = false
            state = .untilEnd
        }
    }

    private mutating func finish() {
        state = .idle
        head = nil
        isMidway = false
    }

    @discardableResult
    private mutating func fail(_ fault: ResponseFault) -> Event {
        state = .failed
        failure = fault
        head = nil
        return .fault(fault)
    }

    /// At most `limit` bytes from `position` on.
    private func part(
        of bytes: UnsafeRawBufferPointer,
        from position: inout Int,
        upTo limit: Int64
    ) -> UnsafeRawBufferPointer {
        let count = Int(min(limit, Int64(bytes.count - position)))
        let part = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
        position += count
        return part
    }
}
