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
        let fault = error as? DecodingError
        // In JSON's terms. The names of types are for errors of other decoders, and for types without such a term.
        let expectation = fault?.expectation.map { text in fault?.jsonLocation.map { "\(text) at \($0)" } ?? text }
        switch fault {
        case .typeMismatch(let expected, let found), .valueNotFound(let expected, let found):
            context = found
            said = expectation ?? "expected \(expected): \(found.debugDescription)"
        case .keyNotFound(let key, let found):
            context = found
            let missing = "no member \"\(key.stringValue)\""
            said = fault?.jsonLocation.map { "\(missing) in the object at \($0)" } ?? missing
        case .dataCorrupted(let found):
            context = found
            said = found.debugDescription
        default:
            context = nil
            said = String(describing: error)
        }
        location = fault?.jsonLocation
        let keys = context?.codingPath ?? []
        let path = keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        // Both may contain names and values of the document.
        reason = redactor.redact(said, upTo: 2048)
        codingPath = redactor.redact(path, upTo: 2048)
    }
}
