public import HeliumJSON

/// The answer to a request by the live socket.
public struct SocketReply: Hashable, Sendable {
    /// The status, 200 to 299; any other is thrown.
    public let status: Int

    /// The fields, named as the service does: `CONTENT_TYPE`, `LOCATION` (§14.3).
    public let headers: [String: String]

    /// The document, if there is one.
    public let body: JSONValue?

    init(_ frame: SocketFrame) {
        status = frame.status ?? 200
        headers = Dictionary(
            frame.headers.compactMap { name, value in value.stringValue.map { (name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        switch frame.body {
        case .value(let value): body = value
        case .text(let text): body = .string(text)
        case .none, .feed, .datastream, .unreadable: body = nil
        }
    }
}
