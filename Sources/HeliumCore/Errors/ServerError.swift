/// One element of a failure's `errors` (middleware.md sections 5.1–5.3). Servers leave out any of the members.
///
/// Branch on ``code`` and the status, never on ``message``, which is human text in the device's language.
public struct ServerError: Hashable, Sendable, Codable {
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

    private enum CodingKeys: String, CodingKey {
        case code, id
        case message = "msg"
        case location = "in"
    }

    /// Takes what is there: a member of another type than text counts as missing, except that numbers become text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? {
            if let text = try? container.decode(String.self, forKey: key) { return text }
            return (try? container.decode(Int.self, forKey: key)).map(String.init)
        }
        self.init(code: text(.code), id: text(.id), message: text(.message), location: text(.location))
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
