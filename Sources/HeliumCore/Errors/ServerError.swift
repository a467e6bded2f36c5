/// An error in the document of a failed response. Each member may be missing.
///
/// Decide by ``code`` and the status, never by ``message``, which is human-readable text.
public struct ServerError: Hashable, Sendable {
    /// The error code, for example `KeyExpired` or `MinLengthUnderachieved`.
    public var code: String?

    /// The invalid parameter; a dotted path for a member of the body, for example `device.carrier.type`.
    public var id: String?

    /// A human-readable message.
    public var message: String?

    /// The part of the request that contains the parameter: `header`, `query`, `body`, `path`.
    public var location: String?

    /// Creates an error with the given members.
    public init(code: String? = nil, id: String? = nil, message: String? = nil, location: String? = nil) {
        self.code = code
        self.id = id
        self.message = message
        self.location = location
    }
}

extension ServerError: CustomStringConvertible {
    /// The members that are present: `code (id in location): message`. Control characters are escaped and long texts
    /// are cut, because the server may send anything.
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
    /// The maximum number of bytes of each member in a description.
    static let shownBytes = 1024

    /// The maximum number of bytes of each member that are kept.
    package static let maximumBytes = 4096

    /// Returns the error with secrets masked, because a server may repeat what it received. Members are cut to
    /// ``maximumBytes``.
    package func redacted(by redactor: Redactor) -> Self {
        func masked(_ text: String?) -> String? { text.map { redactor.redact($0, upTo: Self.maximumBytes) } }
        return Self(code: masked(code), id: masked(id), message: masked(message), location: masked(location))
    }
}
