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
    case session(any LiveSession)
    case refused(LiveRefusal)
}

/// The answer to a request that does not become a WebSocket; the connection ends with it.
struct LiveRefusal: Sendable {
    var status: HTTPResponseStatus
    var fields = HTTPHeaders()
    var body: [UInt8] = []

    /// The port speaks nothing but WebSocket, and only on its own paths.
    static let upgradeRequired = Self(status: .upgradeRequired, fields: ["Upgrade": "websocket"])
}
