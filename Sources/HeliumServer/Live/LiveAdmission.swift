internal import NIOHTTP1

/// The request that wants to become a WebSocket.
struct LiveHandshake: Sendable {
    /// The target of the request line, verbatim.
    let target: String
    let fields: HTTPHeaders

    /// The part of the target before `?`.
    var path: Substring { target.prefix { $0 != "?" } }
}

/// What becomes of a handshake.
enum LiveAdmission: Sendable {
    /// - Parameter isAuthenticated: Whether the handshake has proved who the client is. Where it has not, the session calls
    ///   ``LiveConnection/authenticate()``.
    case session(any LiveSession, isAuthenticated: Bool)
    case refused(LiveRefusal)
}

/// The answer to a request that does not become a WebSocket; the connection ends with it.
struct LiveRefusal: Sendable {
    var status: HTTPResponseStatus
    var fields = HTTPHeaders()
    var body: [UInt8] = []

    init(status: HTTPResponseStatus, fields: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    init(status: HTTPResponseStatus, fields: HTTPHeaders = HTTPHeaders(), text: String) {
        self.init(status: status, fields: fields, body: Array("\(text)\n".utf8))
        self.fields.add(name: "Content-Type", value: "text/plain; charset=utf-8")
    }

    /// The request does not ask for a WebSocket, or not in a version that is spoken here (RFC 6455 §4.2.2).
    static func upgradeRequired(_ text: String) -> Self {
        Self(
            status: .upgradeRequired,
            fields: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"],
            text: text
        )
    }

    static func badRequest(_ text: String) -> Self { Self(status: .badRequest, text: text) }

    /// All places of live clients are taken.
    static let full = Self(
        status: .serviceUnavailable,
        fields: ["Retry-After": "1"],
        text: "there are too many live connections"
    )
}
