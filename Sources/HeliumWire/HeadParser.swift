package import HeliumCore

/// Parses the head of a response line by line. It keeps the final header section as the received
/// bytes, ignores interim responses (1xx) and trailers, and counts all of them against the ceilings.
///
/// A line that continues the one before (obs-fold, RFC 9112 §5.2) is joined to it by one space.
///
/// A class, like its slot: while a method changes one of the slot's variables, that variable is checked for overlapping
/// access.
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

    // The methods of HeadLines call nothing that has a reference to a parser, so two accesses can't overlap, and need no
    // check.
    @exclusivity(unchecked) private var lines = HeadLines()

    package init() {}

    deinit { lines.release() }

    /// Prepares for another response. The memory is kept.
    package func reset(limits: ResponseLimits) { lines.reset(limits: limits) }

    /// Releases the memory that an unusually large response required.
    package func shrink(to limit: Int) {
        if lines.isLarger(than: limit) { lines.release() }
    }

    /// Processes one line, including its line end.
    package func take(_ line: UnsafeRawBufferPointer) -> Event { lines.take(line) }

    /// Processes a field of HTTP/2.
    func takeField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Event {
        lines.takeField(name, value)
    }

    /// Splits the bytes from `position` on into lines and processes them until there is an event.
    func read(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> HeadLines.Step {
        lines.read(bytes, from: &position)
    }

    /// Returns the reason why a line can't have `part` from its byte `offset` on.
    func fault(ofPart part: UnsafeRawBufferPointer, at offset: Int) -> ResponseFault? {
        lines.fault(ofPart: part, at: offset)
    }
}

// MARK: The response

extension HeadParser {
    /// The status of the final response; 0 before it arrives.
    package var status: Int { lines.status }

    /// Whether any status line has arrived, including an interim one.
    package var hasAnswered: Bool { lines.hasAnswered }

    /// Whether the final header section is complete.
    package var isComplete: Bool { lines.isComplete }

    package var version: ResponseHead.Version {
        switch lines.version {
        case .http1_0: .http1_0
        case .http1_1: .http1_1
        case .http2: .http2
        }
    }

    /// The framing and content coding of the body, from the final header section.
    package var framing: BodyFraming { lines.framing }

    /// The options of the connection, from the final header section.
    package var connection: ConnectionOptions { lines.connection }

    /// Whether the server keeps the connection open after the response (RFC 9112 §9.3).
    var isPersistent: Bool {
        let connection = lines.connection
        return !connection.closes && (lines.version != .http1_0 || connection.keepsAlive)
    }

    /// Whether only the end of the connection determines the end of the body (RFC 9112 §6.3). For responses that can
    /// have a body.
    package var endsWithConnection: Bool {
        guard status != 204, status != 304, !framing.isChunked, framing.length == nil else { return false }
        return lines.version != .http2
    }

    /// The final header section.
    package var section: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: lines.bytes, count: lines.count)) }
}
