public import HeliumEssentials

/// A request's body and its media type.
///
/// The bytes are made once for each call, before any I/O, and are both signed and sent.
public struct RequestContent: Sendable {
    package enum Payload: Sendable {
        case bytes(Data)
        case form(QueryParameters)
        case encodable(any Encodable & Sendable)
        case upload(UploadBody)
        /// Made for each call anew, because it looks at files.
        case preparing(@Sendable () throws(InvalidRequest) -> UploadBody)
    }

    package let payload: Payload

    /// The `Content-Type` that is sent unless the request's own fields have one; `nil` sends none.
    public let contentType: String?

    package init(payload: Payload, contentType: String?) {
        self.payload = payload
        self.contentType = contentType
    }

    /// Bytes as they are. Media type by default: `application/octet-stream`.
    public static func bytes(_ data: Data, contentType: String? = "application/octet-stream") -> Self {
        Self(payload: .bytes(data), contentType: contentType)
    }

    /// JSON text: sent and signed exactly as given.
    public static func json(_ text: String) -> Self { json(bytes: Data(text.utf8)) }

    /// Bytes of JSON: sent and signed exactly as given.
    public static func json(bytes data: Data) -> Self {
        Self(payload: .bytes(data), contentType: "application/json")
    }

    /// A value in the client's encoding, which is JSON by default; also a `String` or `Data`.
    public static func json(encoding value: some Encodable & Sendable) -> Self {
        Self(payload: .encodable(value), contentType: "application/json")
    }

    /// Text in UTF-8. Media type by default: `text/plain; charset=utf-8`.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self {
        Self(payload: .bytes(Data(text.utf8)), contentType: contentType)
    }

    /// A form, `application/x-www-form-urlencoded`: written like a query, sorted by name, spaces as `%20`.
    public static func form(_ parameters: QueryParameters) -> Self {
        Self(payload: .form(parameters), contentType: "application/x-www-form-urlencoded")
    }

    /// The content that a value stands for: `Data` its bytes, a `String` its text, any other value its encoding.
    public init(_ value: some Encodable & Sendable) {
        switch value {
        case let data as Data: self = .bytes(data)
        case let text as String: self = .text(text)
        default: self = .json(encoding: value)
        }
    }
}

// Literals with values of several kinds, `["a": 1, "b": "c"]`, which Swift gives no type of their own.
extension RequestContent: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// A JSON object, whose values may be of several kinds: `body: ["title": "Tea", "count": 2, "tags": ["green"]]`.
    ///
    /// Of two members with one name the first counts. Variables in it are written as `JSONValue`s: `.string(title)`.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .json(encoding: JSONValue.object(JSONObject(members)))
    }

    /// A JSON array, whose elements may be of several kinds: `body: [1, "two", nil]`.
    public init(arrayLiteral elements: JSONValue...) { self = .json(encoding: JSONValue.array(elements)) }
}

extension RequestContent: CustomStringConvertible, CustomReflectable {
    /// The media type and kind only: bodies may be personal.
    public var description: String { "RequestContent(\(contentType ?? "no media type"))" }
    /// The media type only.
    public var customMirror: Mirror { Mirror(self, children: ["contentType": contentType as Any]) }
}
