/// The server's side of HTTP/2 (RFC 9113) on one connection, frame by frame: its script decides what it sends.
///
/// It acknowledges SETTINGS and PING unless it is silent, and gives back the windows of the bodies that it reads.
package final class HTTP2Peer {
    /// A frame as a client sent it.
    package struct Frame: Sendable {
        package let type: UInt8
        package let flags: UInt8
        package let stream: UInt32
        package let payload: [UInt8]
    }

    /// An event of the client on a stream, or on the connection.
    package enum Event: Sendable {
        /// The head of a request, whose body is still to come.
        case head(WireRequest)
        /// A whole request. The ledger does not have it.
        case whole(WireRequest)
        case reset(stream: UInt32, code: UInt32)
        case goAway(code: UInt32)
        case other(Frame)
    }

    /// Codes of errors (RFC 9113 §7).
    package enum Code {
        package static let none: UInt32 = 0
        package static let `internal`: UInt32 = 2
        package static let refusedStream: UInt32 = 7
        package static let cancel: UInt32 = 8
        package static let http11Required: UInt32 = 13
    }

    package let wire: WirePeer
    /// The number of the connection, from 0.
    package let number: Int
    /// Whether PINGs and SETTINGS are read and not acknowledged.
    package var isSilent = false
    /// The number of PINGs that the client has sent.
    package private(set) var pings = 0
    /// The bytes that may be sent on each stream, and on the connection at 0 (RFC 9113 §6.9).
    private var windows: [UInt32: Int] = [0: 65_535]
    private var streamWindow = 65_535
    private let ledger: DeliveryLedger
    private var hpack = HPACKReader()
    private var requests: [UInt32: WireRequest] = [:]

    package init(_ wire: WirePeer, number: Int, ledger: DeliveryLedger) {
        self.wire = wire
        self.number = number
        self.ledger = ledger
    }

    /// The bytes that a client begins with (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Returns whether the client begins HTTP/2. Takes no bytes.
    package static func isChosen(on wire: WirePeer) async throws -> Bool {
        try await wire.peek(4).elementsEqual("PRI ".utf8)
    }

    /// Reads the client's preface and sends SETTINGS.
    ///
    /// - Parameter settings: Identifiers and values.
    package func start(settings: [(UInt16, UInt32)] = []) async throws {
        guard try await wire.read(Self.preface.count) == Self.preface else { throw WirePeer.Ended() }
        let payload = settings.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] + Self.number($1) }
        try await wire.flush(Self.frame(4, payload: payload))
    }

    /// Reads until the client did something on a stream.
    package func next() async throws -> Event {
        while true {
            if let event = try await readEvent() { return event }
        }
    }

    /// Reads one frame. Returns `nil` if it is none of a request.
    private func readEvent() async throws -> Event? {
        let frame = try await readFrame()
        switch frame.type {
        case 0:
            guard requests[frame.stream] != nil else { return nil }
            requests[frame.stream]?.body += Self.content(of: frame, isHead: false)
            try await giveBack(frame)
            return endOfRequest(frame)
        case 1:
            let request = try await readHead(frame)
            if frame.flags & 1 != 0 { return .whole(request) }
            requests[frame.stream] = request
            return .head(request)
        case 3:
            requests[frame.stream] = nil
            return .reset(stream: frame.stream, code: Self.number(frame.payload[...]))
        case 4 where frame.flags & 1 == 0:
            // SETTINGS_INITIAL_WINDOW_SIZE, which the client sends before its first request.
            for entry in stride(from: 0, to: frame.payload.count, by: 6) where frame.payload[entry + 1] == 4 {
                streamWindow = Int(Self.number(frame.payload[(entry + 2)...]))
            }
            if !isSilent { try await wire.flush(Self.frame(4, flags: 1)) }
            return nil
        case 6 where frame.flags & 1 == 0:
            pings += 1
            if !isSilent { try await wire.flush(Self.frame(6, flags: 1, payload: frame.payload)) }
            return nil
        case 4: return nil
        case 7: return .goAway(code: Self.number(frame.payload.dropFirst(4)))
        case 8:
            windows[frame.stream] = window(of: frame.stream) + Int(Self.number(frame.payload[...]))
            return nil
        default: return .other(frame)
        }
    }

    private func window(of stream: UInt32) -> Int { windows[stream] ?? streamWindow }

    /// Reads until a request is whole, and adds it to the ledger unless it is not to be processed.
    package func nextRequest(isProcessed: Bool = true) async throws -> WireRequest {
        while true {
            guard case .whole(let request) = try await next() else { continue }
            if isProcessed { ledger.add(request) }
            return request
        }
    }

    /// Reads until a part of the body of an open request has come.
    package func waitForBody(of stream: UInt32) async throws {
        while requests[stream]?.body.isEmpty == true { _ = try await readEvent() }
    }

    /// Reads until the client has sent a PING more.
    package func nextPing() async throws {
        let count = pings
        while pings == count { _ = try await readEvent() }
    }

    /// Reads until the head of a request has come, with or without its body.
    package func nextHead() async throws -> WireRequest {
        while true {
            switch try await next() {
            case .head(let request), .whole(let request): return request
            default: continue
            }
        }
    }

    /// Adds a request to the ledger: it is processed.
    package func process(_ request: WireRequest) { ledger.add(request) }

    /// Responds to each request with its echo until the client ends the connection.
    package func serve() async throws {
        while true { try await respond(to: nextRequest()) }
    }

    private func endOfRequest(_ frame: Frame) -> Event? {
        guard frame.flags & 1 != 0, let request = requests.removeValue(forKey: frame.stream) else { return nil }
        return .whole(request)
    }

    private func readFrame() async throws -> Frame {
        let head = try await wire.read(9)
        let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
        let stream = Self.number(head[5...]) & 0x7FFF_FFFF
        return Frame(type: head[3], flags: head[4], stream: stream, payload: try await wire.read(length))
    }

    private func readHead(_ frame: Frame) async throws -> WireRequest {
        var block = Self.content(of: frame, isHead: true)
        var isWhole = frame.flags & 4 != 0
        while !isWhole {
            let more = try await readFrame()
            guard more.type == 9 else { throw WirePeer.Ended() }
            block += more.payload
            isWhole = more.flags & 4 != 0
        }
        let fields = try hpack.read(block)
        func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
        return WireRequest(method: value(":method"), target: value(":path"), connection: number, stream: frame.stream)
    }

    /// The payload without padding and priority.
    private static func content(of frame: Frame, isHead: Bool) -> [UInt8] {
        var content = frame.payload[...]
        if frame.flags & 8 != 0, let count = content.popFirst() { content = content.dropLast(Int(count)) }
        if isHead, frame.flags & 0x20 != 0 { content = content.dropFirst(5) }
        return Array(content)
    }

    private func giveBack(_ frame: Frame) async throws {
        guard !isSilent, !frame.payload.isEmpty else { return }
        let count = Self.number(UInt32(frame.payload.count))
        let isOpen = frame.flags & 1 == 0
        try await wire.flush(
            Self.frame(8, payload: count) + (isOpen ? Self.frame(8, stream: frame.stream, payload: count) : [])
        )
    }
}

// MARK: Frames

extension HTTP2Peer {
    /// Sends a response with a body that says which request it is for.
    package func respond(to request: WireRequest) async throws {
        try await wire.flush(Self.echo(request))
    }

    /// Sends the head of a response.
    package func sendHead(_ stream: UInt32, status: Int = 200, isLast: Bool = false) async throws {
        try await wire.flush(Self.head(stream, status: status, isLast: isLast))
    }

    /// Sends a part of a body.
    package func sendData(_ stream: UInt32, _ text: String, isLast: Bool) async throws {
        try await wire.flush(Self.frame(0, flags: isLast ? 1 : 0, stream: stream, payload: Array(text.utf8)))
    }

    /// Sends a body as the windows allow.
    ///
    /// - Parameter meanwhile: Handles what the client does while the body waits for room.
    package func sendBody(
        _ stream: UInt32,
        _ body: [UInt8],
        meanwhile: (Event) async throws -> Void = { _ in }
    ) async throws {
        var position = 0
        while position < body.count {
            let count = min(body.count - position, 16_384, window(of: 0), window(of: stream))
            guard count > 0 else {
                if let event = try await readEvent() { try await meanwhile(event) }
                continue
            }
            windows[0] = window(of: 0) - count
            windows[stream] = window(of: stream) - count
            let part = Array(body[position..<(position + count)])
            position += count
            try await wire.flush(
                Self.frame(0, flags: position == body.count ? 1 : 0, stream: stream, payload: part)
            )
        }
    }

    package func reset(_ stream: UInt32, _ code: UInt32) async throws {
        try await wire.flush(Self.frame(3, stream: stream, payload: Self.number(code)))
    }

    /// Sends GOAWAY.
    ///
    /// - Parameter last: The last stream that is or will be processed.
    package func goAway(last: UInt32, _ code: UInt32 = Code.none) async throws {
        try await wire.flush(Self.frame(7, payload: Self.number(last) + Self.number(code)))
    }

    package func ping() async throws { try await wire.flush(Self.frame(6, payload: Array("pingpong".utf8))) }

    /// Sends PING and waits until the client has acknowledged it, and so has read all that came before, or has ended
    /// the connection. Requests that come in between are ignored.
    package func waitForPong() async throws {
        try await ping()
        while true {
            guard case .other(let frame) = try await next(), frame.type == 6 else { continue }
            return
        }
    }

    package func sendSettings(_ settings: [(UInt16, UInt32)]) async throws {
        let payload = settings.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] + Self.number($1) }
        try await wire.flush(Self.frame(4, payload: payload))
    }

    /// The frames of a response to a request, in one piece.
    package static func echo(_ request: WireRequest) -> [UInt8] {
        head(request.stream, status: 200)
            + (request.method == "HEAD"
                ? frame(0, flags: 1, stream: request.stream)
                : frame(0, flags: 1, stream: request.stream, payload: Array(request.echo.utf8)))
    }

    /// The frame of a response's head, with the status as a literal (RFC 7541 §6.2.2).
    package static func head(_ stream: UInt32, status: Int, isLast: Bool = false) -> [UInt8] {
        frame(1, flags: isLast ? 5 : 4, stream: stream, payload: literal(":status", "\(status)"))
    }

    /// A field that is in no table, without Huffman coding.
    private static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    package static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) -> [UInt8] {
        number(UInt32(payload.count)).dropFirst() + [type, flags] + number(stream) + payload
    }

    private static func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
