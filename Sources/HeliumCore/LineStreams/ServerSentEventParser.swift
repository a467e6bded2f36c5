package import HeliumEssentials

/// Parses an event stream by the WHATWG's rules (WHATWG HTML, section 9.2.6, "Interpreting an event stream").
///
/// Add bytes with ``append(_:)`` and take events one by one with ``next()``, so that ``lastEventID`` always belongs to
/// the last event taken. An event that is cut off by the end of the stream is never delivered.
package struct ServerSentEventParser: Sendable {
    /// The longest delay before the next connection that a server can request: an hour.
    package static let longestRetry = Duration.seconds(3600)

    /// The id of the last event dispatched, which a new connection sends to the server; empty if there is none.
    package private(set) var lastEventID: String

    /// The last delay before connecting again that the server requested.
    package private(set) var retry: Duration?

    private let lineBytes: Int
    private let eventBytes: Int
    private var splitter: LineSplitter
    private var isFirstLine = true
    private var type = ""
    private var data: String?
    private var id: String

    /// Creates a parser at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id of the last event of the previous connection.
    ///   - lineBytes: The maximum number of bytes of a line.
    ///   - eventBytes: The maximum number of bytes of an event's data.
    package init(lastEventID: String = "", lineBytes: Int, eventBytes: Int) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
        splitter = LineSplitter(ends: .all, limit: lineBytes)
    }

    /// Returns a parser for the next connection, which continues from the last event dispatched.
    package func restarted() -> Self {
        Self(lastEventID: lastEventID, lineBytes: lineBytes, eventBytes: eventBytes)
    }
}

extension ServerSentEventParser {
    /// Adds the next chunk.
    package mutating func append(_ chunk: some ContiguousBytes) { splitter.append(chunk) }

    /// Takes the next event. Returns `nil` if more bytes are needed.
    ///
    /// - Throws: ``LineTooLong`` for a line or an event that exceeds its limit, and on every call after it.
    package mutating func next() throws(LineTooLong) -> ServerSentEvent? {
        while true {
            let isFirst = isFirstLine
            guard let field = try splitter.next({ Field($0, isFirst: isFirst) }) else { return nil }
            isFirstLine = false
            switch field {
            case .ignored: break
            case .event(let value): type = value
            case .id(let value): id = value
            case .retry(let value): retry = value
            case .data(let value): try append(value)
            case .endOfEvent: if let event = dispatch() { return event }
            }
        }
    }

    private mutating func append(_ value: String) throws(LineTooLong) {
        let count = (data?.utf8.count ?? -1) + 1 + value.utf8.count
        guard count <= eventBytes else { throw LineTooLong(limit: eventBytes) }
        if data == nil {
            data = value
        } else {
            data?.append("\n")
            data?.append(value)
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            type = ""
            data = nil
        }
        return data.map { ServerSentEvent(type: type.isEmpty ? "message" : type, data: $0, id: id.isEmpty ? nil : id) }
    }
}

/// The meaning of a line.
private enum Field {
    case endOfEvent
    case ignored
    case data(String)
    case event(String)
    case id(String)
    case retry(Duration)

    init(_ line: UnsafeRawBufferPointer, isFirst: Bool) {
        let line = isFirst ? line.withoutByteOrderMark : line
        guard !line.isEmpty else {
            self = .endOfEvent
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        self = Field(name: line[..<colon], value: value)
    }

    private init(name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        if name.elementsEqual("data".utf8) {
            self = .data(Self.text(value))
        } else if name.elementsEqual("event".utf8) {
            self = .event(Self.text(value))
        } else if name.elementsEqual("id".utf8), value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) {
            // The standard ignores an id with NUL. Other control characters are not allowed in `Last-Event-ID` either.
            self = .id(Self.text(value))
        } else if name.elementsEqual("retry".utf8), !value.isEmpty, value.allSatisfy({ 48...57 ~= $0 }) {
            let milliseconds = Int64(Self.text(value)).map { Duration.milliseconds($0) }
            self = .retry(min(milliseconds ?? .seconds(Int64.max), ServerSentEventParser.longestRetry))
        } else {
            self = .ignored  // a comment, too: its name is empty
        }
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }
}
