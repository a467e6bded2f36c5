internal import HTTPTypes
public import HeliumCore

extension ResponseEnvelope {
    /// The middleware's: `{"status":200,"response":…}` and `{"status":401,"errors":[…]}` (section 5.1).
    public static let middleware = Self(valuePath: ["response"], errorsPath: ["errors"], omitsFalsyValues: true)
}

extension ClientOptions {
    /// The parameter that carries a ``FieldsSelector``'s text. Default: `selection` (middleware.md section 5.4).
    public var selectionParameter: String {
        get { vocabulary.resultParameter?.name ?? "selection" }
        set {
            vocabulary.resultParameter = ResultParameter(name: newValue) { type in
                (type as? any FieldsSelector.Type)?.selectionString
            }
        }
    }

    /// Adds the middleware's vocabulary, in which all clients read errors and select fields, where there is no other.
    package mutating func adoptMiddlewareVocabulary() {
        vocabulary.errorForm = vocabulary.errorForm ?? ServerError.self
        if vocabulary.resultParameter == nil { selectionParameter = "selection" }
    }

    /// The same with the middleware's vocabulary.
    var withMiddlewareVocabulary: Self {
        var copy = self
        copy.adoptMiddlewareVocabulary()
        return copy
    }
}

// An element of `errors` (middleware.md sections 5.1–5.3). Servers leave out any of the members.
extension ServerError: Codable, ServerErrorForm {
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

    /// Encodes the members that are there.
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
    /// The middleware's credential (section 1.1).
    static let middlewareKey = Self(constant: "key")
    /// The middleware's clock in milliseconds (section 1.5).
    static let middlewareTimestamp = Self(constant: "timestamp")
}

extension ResponseHead {
    /// The server's clock since 1970 as the answer's `timestamp` tells it; `nil` where it is missing or no number.
    var serverTime: Duration? {
        guard let text = self[.middlewareTimestamp], text.utf8.count <= 16, let milliseconds = Int64(text),
            milliseconds >= 0
        else { return nil }
        return .milliseconds(milliseconds)
    }
}
