/// An error in a document and its position. It is the underlying error of every `DecodingError` of
/// ``HeliumJSONDecoder``, and the error of parsing a document without a type.
///
/// It quotes at most one character of the document, so it may be logged.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, such as `expected a comma or ']', found 'x'`.
    public let reason: String

    /// The position.
    public let location: JSONLocation

    /// Creates an error.
    public init(reason: String, location: JSONLocation) {
        self.reason = reason
        self.location = location
    }

    /// A description such as `line 3, column 14 (byte 231): a number has a leading zero`.
    public var description: String { "\(location): \(reason)" }
}

extension JSONError {
    init(_ fault: SyntaxFault, in bytes: UnsafeBufferPointer<UInt8>) {
        self.init(reason: fault.message, location: JSONLocation(byteOffset: fault.offset, in: bytes))
    }
}

extension DecodingError {
    /// The position of the invalid value in the JSON document; `nil` if another decoder threw the error.
    public var jsonLocation: JSONLocation? { jsonError?.location }

    /// The reason of the error, without its position; `nil` if another decoder threw the error.
    public var jsonReason: String? { jsonError?.reason }

    private var jsonError: JSONError? {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default:
            return nil
        }
        return context.underlyingError as? JSONError
    }
}
