public import Foundation
internal import HeliumCore

extension FaultServer {
    /// A named failure between a request and its response. A ``Plan`` assigns faults to requests.
    ///
    /// To simulate a server that refuses connections, use ``withRefusingURL(isolation:_:)``. Such a server does not
    /// listen at all.
    public struct Fault: Sendable, CustomStringConvertible {
        /// The fault's name, as in ``FaultServer/events``.
        public let name: String

        /// The actions before a request is read.
        let greeting: [Action]

        /// Whether the server reads the request's body before it responds.
        let readsBody: Bool

        /// The actions for a request.
        let respond: @Sendable (ReceivedRequest) -> [Action]

        /// The name.
        public var description: String { name }

        var beginsWithConnection: Bool { !greeting.isEmpty }

        init(
            _ name: String,
            greeting: [Action] = [],
            readsBody: Bool = true,
            respond: @escaping @Sendable (ReceivedRequest) -> [Action]
        ) {
            self.name = name
            self.greeting = greeting
            self.readsBody = readsBody
            self.respond = respond
        }

        init(_ name: String, greeting: [Action] = [], _ actions: Action...) {
            self.init(name, greeting: greeting) { _ in actions }
        }

        /// Creates a fault from your own actions.
        public static func custom(_ name: String, _ actions: [Action]) -> Self { Self(name) { _ in actions } }
    }
}

// MARK: Nothing wrong

extension FaultServer.Fault {
    /// A well-formed response with status 200 and the body `ok`. The connection stays open.
    public static let healthy = Self("healthy", .answer(body: "ok"))

    /// A well-formed response. The connection stays open.
    public static func answer(_ status: Int = 200, fields: [String] = [], body: String = "") -> Self {
        Self("answer \(status)", .answer(status, fields: fields, body: body))
    }
}

// MARK: Before a request is read

extension FaultServer.Fault {
    /// The server resets the connection as soon as it is established.
    public static let resetOnConnect = Self("resetOnConnect", greeting: [.reset])

    /// The server closes the connection as soon as it is established.
    public static let closeOnConnect = Self("closeOnConnect", greeting: [.close])

    /// The connection is established, but the server ignores it during `pause`. Then it responds like ``healthy``.
    public static func slowAccept(_ pause: Duration) -> Self {
        Self("slowAccept", greeting: [.wait(pause)], .answer(body: "ok"))
    }

    /// The connection is established, but the server ignores it until `gate` is opened. Then it responds like
    /// ``healthy``.
    public static func slowAccept(until gate: FaultServer.Gate) -> Self {
        Self("slowAccept", greeting: [.send(whenOpen: gate, "")], .answer(body: "ok"))
    }

    /// The response is sent before the request is read. Then the server closes the connection.
    public static let answerBeforeRequest = Self("answerBeforeRequest", greeting: [.answer(body: "early")], .close)

    /// Bytes that are not a TLS record, for clients that begin with a handshake.
    public static let garbageInHandshake = Self(
        "garbageInHandshake",
        greeting: [.send("HTTP/1.1 400 Bad Request\r\n\r\n")],
        .hang
    )
}

// MARK: Before and in the head

extension FaultServer.Fault {
    /// The server reads the request and resets the connection.
    public static let resetBeforeHeaders = Self("resetBeforeHeaders", .reset)

    /// The server reads the request and closes the connection.
    public static let closeBeforeHeaders = Self("closeBeforeHeaders", .close)

    /// The server reads the request and sends nothing.
    public static let stallBeforeHeaders = Self("stallBeforeHeaders", .hang)

    /// A status line and half a field, then a reset.
    public static let resetMidHeaders = Self("resetMidHeaders", partOfHead, pauseBeforeReset, .reset)

    /// A status line and half a field, then the connection is closed.
    public static let closeMidHeaders = Self("closeMidHeaders", partOfHead, .close)

    /// A status line and half a field, then nothing.
    public static let stallMidHeaders = Self("stallMidHeaders", partOfHead, .hang)

    /// Header fields without end.
    public static let endlessHeaders = Self(
        "endlessHeaders",
        .send("HTTP/1.1 200 OK\r\n"),
        .endless("X-Endless: \(String(repeating: "x", count: 1000))\r\n")
    )

    /// A head with `count` fields of `bytes` bytes each. Negative numbers count as 0. The head has at most 100,000
    /// fields, and their values at most 16 MiB together.
    public static func headerBomb(count: Int = 1000, bytes: Int = 1000) -> Self {
        Self("headerBomb", .headerBomb(count: count, bytes: bytes))
    }

    /// The first line is not a status line.
    public static let garbage = Self("garbage", .send("220 mail ready\r\n\r\n"), .close)

    /// Status 101, although the client did not ask for another protocol.
    public static let switchedProtocols = Self("switchedProtocols", .interim(101), .hang)

    private static let partOfHead = FaultServer.Action.send("HTTP/1.1 200 OK\r\nContent-")
    /// A reset discards unread data. Without a pause the client might not receive the part before it.
    private static let pauseBeforeReset = FaultServer.Action.wait(.milliseconds(50))
}

// MARK: In the body

extension FaultServer.Fault {
    /// Half of the announced body, then a reset.
    public static let resetMidBody = Self("resetMidBody", halfBody, pauseBeforeReset, .reset)

    /// Half of the announced body, then the connection is closed. The announced length is too long.
    public static let closeMidBody = Self("closeMidBody", halfBody, .close)

    /// Half of the announced body, then nothing.
    public static let stallMidBody = Self("stallMidBody", halfBody, .hang)

    /// Half of the announced body, then the server closes the sending half and continues to read.
    public static let halfClose = Self("halfClose", halfBody, .halfClose, .hang)

    /// More bytes than announced. The connection stays open.
    public static let lengthTooShort = Self("lengthTooShort", .answer(announcing: 2, body: "ok, and more"))

    /// Two chunks, then the connection is closed in place of the last chunk.
    public static let unfinishedChunks = Self("unfinishedChunks", .unfinishedChunks(["one", "two"]), .close)

    /// A chunk whose size is not a number.
    public static let brokenChunk = Self(
        "brokenChunk",
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"),
        .hang
    )

    /// A complete body, `chunk` bytes at a time with a pause before each piece.
    public static func drip(_ body: String, chunk: Int = 1, every pause: Duration) -> Self {
        Self("drip", .answer(announcing: body.utf8.count, body: ""), .drip(body, chunk: chunk, every: pause))
    }

    /// Chunks without end.
    public static let endlessBody = Self(
        "endlessBody",
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .endless("4000\r\n\(String(repeating: "x", count: 0x4000))\r\n")
    )

    /// A small body that becomes `bytes` bytes when it is decompressed. Negative numbers count as 0, and more than 1 GiB
    /// counts as 1 GiB.
    public static func gzipBomb(decodingTo bytes: Int = 64 << 20) -> Self {
        let body = GzipBomb.bytes(decodingTo: min(bytes, 1 << 30))
        return Self("gzipBomb", .answer(fields: ["Content-Encoding: gzip"], body: body))
    }

    /// A body that is not encoded with the content coding that its head announces.
    public static let wrongCoding = Self("wrongCoding", .answer(fields: ["Content-Encoding: gzip"], body: "no gzip"))

    private static let halfBody = FaultServer.Action.answer(announcing: 8, body: "half")
}

// MARK: Complete responses at the wrong time or place

extension FaultServer.Fault {
    /// The server reads the head and responds without reading the body, as a server does that rejects the body. Then it
    /// reads and discards data until the client closes the connection.
    public static func answerBeforeBody(_ status: Int = 413) -> Self {
        Self("answerBeforeBody", readsBody: false) { _ in
            [.answer(status, fields: ["Connection: close"], body: "too large"), .halfClose, .hang]
        }
    }

    /// A complete response, after which the server closes the connection without announcing it. The next request may
    /// use a stale connection.
    public static let closeAfterResponse = Self("closeAfterResponse", .answer(body: "ok"), .close)

    /// Two complete responses to one request. The connection stays open.
    public static let duplicateResponses = Self("duplicateResponses", .answer(body: "one"), .answer(500, body: "two"))

    /// Every request is redirected to itself.
    public static let redirectLoop = Self("redirectLoop") { request in
        [.answer(302, fields: ["Location: \(request.target)"])]
    }

    /// `hops` redirects (none for negative numbers) to `/hop-1`, `/hop-2` and so on, then a response like ``healthy``.
    public static func redirectChain(_ hops: Int, status: Int = 302) -> Self {
        Self("redirectChain") { request in
            let hop = request.path.hasPrefix("/hop-") ? Int(request.path.dropFirst(5)) ?? 0 : 0
            return hop < hops ? [.answer(status, fields: ["Location: /hop-\(hop + 1)"])] : [.answer(body: "ok")]
        }
    }

    /// Status 429 (RFC 6585 §4).
    public static func tooManyRequests(retryAfter: RetryAfter? = nil) -> Self { busy(429, retryAfter) }

    /// Status 503 (RFC 9110 §15.6.4).
    public static func unavailable(retryAfter: RetryAfter? = nil) -> Self { busy(503, retryAfter) }

    private static func busy(_ status: Int, _ retryAfter: RetryAfter?) -> Self {
        let fields = retryAfter.map { ["Retry-After: \($0.value)"] } ?? []
        return Self("answer \(status)", .answer(status, fields: fields, body: "busy"))
    }

    /// The forms of `Retry-After` (RFC 9110 §10.2.3).
    public enum RetryAfter: Hashable, Sendable {
        /// A number of seconds.
        case seconds(Int)
        /// An HTTP date, in whole seconds.
        case date(Date)
        /// Any other text.
        case text(String)

        var value: String {
            switch self {
            case .seconds(let seconds): "\(seconds)"
            case .date(let date): HTTPDate.string(from: date)
            case .text(let text): text
            }
        }
    }
}
