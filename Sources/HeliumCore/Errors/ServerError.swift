/// An error that the document of a failure reports. Each member may be missing.
///
/// Branch on ``code`` and the status, never on ``message``, which is human text.
public struct ServerError: Hashable, Sendable {
    /// What is wrong, for example `KeyExpired` or `MinLengthUnderachieved`.
    public var code: String?

    /// The parameter at fault; a dotted path for a member of the body, for example `device.carrier.type`.
    public var id: String?

    /// Human text.
    public var message: String?

    /// Where the parameter was looked for: `header`, `query`, `body`, `path`.
    public var location: String?

    /// An error with the given members.
    public init(code: String? = nil, id: String? = nil, message: String? = nil, location: String? = nil) {
        self.code = code
        self.id = id
        self.message = message
        self.location = location
    }
}

extension ServerError: CustomStringConvertible {
    /// The members that are there: `code (id in location): message`. Control characters are escaped, and long texts cut:
    /// the server may send anything.
    public var description: String {
        func shown(_ text: String?) -> String? {
            text.map { PeerText.shortened(PeerText.escaped($0), to: Self.shownBytes) }
        }
        let (code, id, message, location) = (shown(code), shown(id), shown(message), shown(location))
        let place = [id, location.map { "in \($0)" }].compactMap(\.self).joined(separator: " ")
        let head = [code, place.isEmpty ? nil : "(\(place))"].compactMap(\.self).joined(separator: " ")
        return [head.isEmpty ? nil : head, message].compactMap(\.self).joined(separator: ": ")
    }
}

extension ServerError {
    /// The most bytes that a description shows of each member.
    static let shownBytes = 1024

    /// The most bytes that are kept of each member.
    package static let maximumBytes = 4096

    /// The same error with secrets masked: a server may echo what it was sent. Members are cut to ``maximumBytes``.
    package func redacted(by redactor: Redactor) -> Self {
        func masked(_ text: String?) -> String? { text.map { redactor.redact($0, upTo: Self.maximumBytes) } }
        return Self(code: masked(code), id: masked(id), message: masked(message), location: masked(location))
    }
}
