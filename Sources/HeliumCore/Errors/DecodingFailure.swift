/// Where and why a body did not decode.
public struct DecodingFailure: Hashable, Sendable, CustomStringConvertible {
    /// The type that was asked for.
    public let type: String

    /// The path to the value at fault, for example `response.0.created`; empty for the document itself.
    public let codingPath: String

    /// What is wrong there.
    public let reason: String

    /// Where in the document the value begins, or what is no JSON stands; `nil` if the decoder does not tell.
    public let location: JSONLocation?

    /// `TVShow at response.title: no value for the key`.
    public var description: String { "\(type) \(place)" }

    /// The description without the type: for where that was told.
    package var place: String { "at \(codingPath.isEmpty ? "the top" : codingPath): \(reason)" }
}

extension DecodingFailure {
    /// What a decoder said, which may quote the document: secrets are masked.
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
        // The document's own names and values may be in both.
        reason = redactor.redact(said, upTo: 2048)
        codingPath = redactor.redact(path, upTo: 2048)
    }
}
