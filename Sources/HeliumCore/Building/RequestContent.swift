public import HeliumEssentials

/// A request's body and its media type.
///
/// The bytes are produced once for each call, before any I/O. The same bytes are signed and sent.
public struct RequestContent: Sendable {
    package enum Payload: Sendable {
        case bytes(Data)
        case form(QueryParameters)
        case encodable(any Encodable & Sendable)
        case upload(UploadBody)
        /// A body that is created again for each call because it reads files.
        case preparing(@Sendable () throws(InvalidRequest) -> UploadBody)
    }

    package let payload: Payload

    /// The `Content-Type` that is sent unless the request's own fields contain one; `nil` sends none.
    public let contentType: String?

    package init(payload: Payload, contentType: String?) {
        self.payload = payload
        self.contentType = contentType
    }

    /// Creates content from bytes, sent unchanged. Default media type: `application/octet-stream`.
    public static func bytes(_ data: Data, contentType: String? = "application/octet-stream") -> Self {
        Self(payload: .bytes(data), contentType: contentType)
    }

    /// Creates content from JSON text, which is signed and sent unchanged.
    public static func json(_ text: String) -> Self { json(bytes: Data(text.utf8)) }

    /// Creates content from bytes of JSON, which are signed and sent unchanged.
    public static func json(bytes data: Data) -> Self {
        Self(payload: .bytes(data), contentType: "application/json")
    }

    /// Creates content from a value in the client's encoding, JSON by default. The value may also be a `String` or
    /// `Data`.
    public static func json(encoding value: some Encodable & Sendable) -> Self {
        Self(payload: .encodable(value), contentType: "application/json")
    }

    /// Creates content from text in UTF-8. Default media type: `text/plain; charset=utf-8`.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self {
        Self(payload: .bytes(Data(text.utf8)), contentType: contentType)
    }

    /// Creates a form, `application/x-www-form-urlencoded`. It is written like a query, sorted by name, with spaces as
    /// `%20`.
    public static func form(_ parameters: QueryParameters) -> Self {
        Self(payload: .form(parameters), contentType: "application/x-www-form-urlencoded")
    }

    /// Creates the content of a value: the bytes of `Data`, the text of a `String`, or the encoding of any other value.
    public init(_ value: some Encodable & Sendable) {
        switch value {
        case let data as Data: self = .bytes(data)
        case let text as String: self = .text(text)
        default: self = .json(encoding: value)
        }
    }
}

// Literals with values of several types, `["a": 1, "b": "c"]`, for which Swift infers no type of their own.
extension RequestContent: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates a JSON object, whose values may be of several types: `body: ["title": "Tea", "count": 2, "tags":
    /// ["green"]]`.
    ///
    /// If a name occurs twice, the first value is used. Variables in it are written as `JSONValue`s: `.string(title)`.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .json(encoding: JSONValue.object(JSONObject(members)))
    }

    /// Creates a JSON array, whose elements may be of several types: `body: [1, "two", nil]`.
    public init(arrayLiteral elements: JSONValue...) { self = .json(encoding: JSONValue.array(elements)) }
}

extension RequestContent: CustomStringConvertible, CustomReflectable {
    /// The media type only, because bodies may be personal.
    public var description: String { "RequestContent(\(contentType ?? "no media type"))" }
    /// The media type only.
    public var customMirror: Mirror { Mirror(self, children: ["contentType": contentType as Any]) }
}
