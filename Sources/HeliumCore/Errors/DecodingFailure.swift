/// The position and the reason of a decoding failure.
public struct DecodingFailure: Hashable, Sendable, CustomStringConvertible {
    /// The type that was requested.
    public let type: String

    /// The path to the invalid value, for example `response.0.created`; empty for the document itself.
    public let codingPath: String

    /// The reason of the failure.
    public let reason: String

    /// The position of the value, or of the invalid JSON, in the document; `nil` if the decoder does not report it.
    public let location: JSONLocation?

    /// A description such as `TVShow at response.title: no value for the key`.
    public var description: String { "\(type) \(place)" }

    /// The description without the type, for texts that already name it.
    package var place: String { "at \(codingPath.isEmpty ? "the top" : codingPath): \(reason)" }
}

extension DecodingFailure {
    /// Creates a failure from a decoder's error. Secrets are masked, because the error may quote the document.
    init(type: Any.Type, error: any Error, redactor: Redactor) {
        self.type = String(describing: type)
        let context: DecodingError.Context?
        let said: String
        switch error as? DecodingError {
        case .typeMismatch(let expected, let found):
            context = found
            let mismatch = error as? DecodingError
            said =
                mismatch?.expectation.map { text in mismatch?.jsonLocation.map { "\(text) at \($0)" } ?? text }
                ?? "expected \(expected): \(found.debugDescription)"
        case .valueNotFound(let expected, let found):
            context = found
            said = "expected \(expected), found null: \(found.debugDescription)"
        case .keyNotFound(let key, let found):
            context = found
            let missing = "no member \"\(key.stringValue)\""
            said = (error as? DecodingError)?.jsonLocation.map { "\(missing) in the object at \($0)" } ?? missing
        case .dataCorrupted(let found):
            context = found
            said = found.debugDescription
        default:
            context = nil
            said = String(describing: error)
        }
        location = (error as? DecodingError)?.jsonLocation
        let keys = context?.codingPath ?? []
        let path = keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        // Both may contain names and values of the document.
        reason = redactor.redact(said, upTo: 2048)
        codingPath = redactor.redact(path, upTo: 2048)
    }
}
