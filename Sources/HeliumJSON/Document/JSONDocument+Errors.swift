extension DecodingError {
    /// Creates the error of invalid JSON, or of a value that can't be represented.
    static func dataCorrupted(_ error: JSONError, at path: [any CodingKey] = []) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: error.description, underlyingError: error))
    }
}

extension JSONDocument {
    /// Returns the position of the value at `index`.
    func location(of index: Int) -> JSONLocation {
        let word = word(index)
        return lines.location(of: word.isString ? word.offset - 1 : word.offset, in: bytes)
    }

    /// Creates the error of a value of another type, or null.
    @usableFromInline
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
        let error = JSONError(reason: "found \(word(index).noun)", location: location(of: index))
        let context = DecodingError.Context(
            codingPath: path(to: index),
            debugDescription: "\(error.reason) at \(error.location)",
            underlyingError: error
        )
        return word(index).kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Creates the error of a value of the right type with invalid contents.
    @usableFromInline
    @inline(never)
    func corrupted(_ reason: String, at index: Int) -> DecodingError {
        .dataCorrupted(JSONError(reason: reason, location: location(of: index)), at: path(to: index))
    }

    /// Creates the error of a missing member of the object at `index`.
    @usableFromInline
    @inline(never)
    func missing(_ key: any CodingKey, in index: Int) -> DecodingError {
        let error = JSONError(reason: "no member \"\(key.stringValue)\"", location: location(of: index))
        return .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: path(to: index),
                debugDescription: "\(error.reason) in the object at \(error.location)",
                underlyingError: error
            )
        )
    }

    /// Creates the error of reading past the end of the array at `index`.
    func exhausted(_ type: Any.Type, in index: Int, count: Int) -> DecodingError {
        let error = JSONError(reason: "the array has only \(count) elements", location: location(of: index))
        return .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: path(to: index) + [PathKey.index(count)],
                debugDescription: "\(error.reason) at \(error.location)",
                underlyingError: error
            )
        )
    }
}
