extension DecodingError {
    /// The reason of the error, without its position.
    package var plainReason: String {
        expectation ?? jsonReason ?? context?.debugDescription ?? "it can't be decoded"
    }

    /// The expected and the actual kind of value in JSON's terms, such as `expected a list, found an object`; `nil` if
    /// either is unknown.
    package var expectation: String? {
        let type: Any.Type
        switch self {
        case .typeMismatch(let expected, _), .valueNotFound(let expected, _): type = expected
        default: return nil
        }
        guard let jsonReason, jsonReason.hasPrefix("found "), let wanted = Self.noun(of: type) else { return nil }
        return "expected \(wanted), \(jsonReason)"
    }

    private static func noun(of type: Any.Type) -> String? {
        switch type {
        case is String.Type: return "a string"
        case is Bool.Type: return "true or false"
        case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: return "a number"
        default:
            let name = String(describing: type)
            if name.hasPrefix("Array<") { return "a list" }
            return name.hasPrefix("Dictionary<") ? "an object" : nil
        }
    }

    /// The path to the invalid value by member names, such as `datastreams[0].at`; empty for the document itself.
    package var plainPath: String {
        (context?.codingPath ?? []).reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    private var context: Context? {
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            found
        @unknown default: nil
        }
    }
}
