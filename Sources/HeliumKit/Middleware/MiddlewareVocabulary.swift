internal import HTTPTypes
public import HeliumCore

extension ResponseEnvelope {
    /// The envelope of the middleware: `{"status":200,"response":…}` and `{"status":401,"errors":[…]}`
    /// (Docs/Protocols/Middleware.md §5.1).
    public static let middleware = Self(valuePath: ["response"], errorsPath: ["errors"], omitsFalsyValues: true)
}

extension ClientOptions {
    /// The parameter that carries the text of a ``FieldsSelector``. Default: `selection` (Docs/Protocols/Middleware.md
    /// §5.4).
    public var selectionParameter: String {
        get { vocabulary.resultParameter?.name ?? "selection" }
        set {
            vocabulary.resultParameter = ResultParameter(name: newValue) { type in
                (type as? any FieldsSelector.Type)?.selectionString
            }
        }
    }

    /// Adds the middleware's vocabulary if no other one is set. All clients use it to decode errors and to select
    /// fields.
    package mutating func adoptMiddlewareVocabulary() {
        vocabulary.errorForm = vocabulary.errorForm ?? ServerError.self
        if vocabulary.resultParameter == nil { selectionParameter = "selection" }
    }

    /// The options with the middleware's vocabulary.
    var withMiddlewareVocabulary: Self {
        var copy = self
        copy.adoptMiddlewareVocabulary()
        return copy
    }
}

// An element of `errors` (Docs/Protocols/Middleware.md §5.1–§5.3). Servers may leave out any of its members.
extension ServerError: Codable, ServerErrorForm {
    private enum CodingKeys: String, CodingKey {
        case code, id
        case message = "msg"
        case location = "in"
    }

    /// Decodes the members that are present. A member that is neither text nor an integer counts as missing. Integers
    /// become text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? {
            if let text = try? container.decode(String.self, forKey: key) { return text }
            return (try? container.decode(Int.self, forKey: key)).map(String.init)
        }
        self.init(code: text(.code), id: text(.id), message: text(.message), location: text(.location))
    }

    /// Encodes the members that are present.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(code, forKey: .code)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(message, forKey: .message)
        try container.encodeIfPresent(location, forKey: .location)
    }

    package var serverError: ServerError { self }
}

extension HTTPField.Name {
    /// The field of the middleware's key (Docs/Protocols/Middleware.md §1.1).
    static let middlewareKey = Self(constant: "key")
    /// The field of the middleware's clock in milliseconds (Docs/Protocols/Middleware.md §1.5).
    static let middlewareTimestamp = Self(constant: "timestamp")
}

extension ResponseHead {
    /// The server's clock since 1970 from the response's `timestamp`; `nil` if the field is missing or not a number.
    package var serverTime: Duration? {
        guard let text = self[.middlewareTimestamp], text.utf8.count <= 16, let milliseconds = Int64(text),
            milliseconds >= 0
        else { return nil }
        return .milliseconds(milliseconds)
    }
}
