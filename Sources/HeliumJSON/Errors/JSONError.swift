/// What is wrong with a document, and where: the underlying error of every `DecodingError` of ``HeliumJSONDecoder``, and what
/// reading a document without a type throws.
///
/// It quotes no more of the document than one character, so it may be logged.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong: `a comma or ']' is wanted`.
    public let reason: String

    /// Where.
    public let location: JSONLocation

    /// An error.
    public init(reason: String, location: JSONLocation) {
        self.reason = reason
        self.location = location
    }

    /// `line 3, column 14 (byte 231): a number begins with a zero`.
    public var description: String { "\(location): \(reason)" }
}

extension JSONError {
    init(_ fault: SyntaxFault, in bytes: UnsafeBufferPointer<UInt8>) {
        self.init(reason: fault.message, location: JSONLocation(byteOffset: fault.offset, in: bytes))
    }
}

extension DecodingError {
    /// Where in the JSON document the value at fault begins; `nil` if another decoder threw it.
    public var jsonLocation: JSONLocation? { jsonError?.location }

    /// What is wrong there, without the place; `nil` if another decoder threw it.
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
