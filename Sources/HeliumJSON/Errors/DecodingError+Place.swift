extension DecodingError {
    /// What is wrong, without the place.
    package var plainReason: String { jsonReason ?? context?.debugDescription ?? "it can't be read" }

    /// The way to the value at fault, by members' names: `datastreams[0].at`; empty for the document itself.
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
