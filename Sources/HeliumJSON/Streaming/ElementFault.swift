/// The reason why the elements of an array can't be read from a stream.
package struct ElementFault: Error {
    /// The kind of a fault.
    package enum Kind: Sendable {
        /// The text is not JSON, or its nesting is too deep.
        case invalid
        /// There is no value.
        case empty
        /// There is no array at the path.
        case missing
        /// There is another value at the path, or on the way to it.
        case mismatch
        /// An element is longer than allowed.
        case elementTooLong
    }

    /// The kind of the fault.
    package let kind: Kind

    /// The fault as the error of decoding the whole document.
    package let decodingError: DecodingError
}

/// The position of an element.
package struct ElementPlace: Sendable {
    /// The index in the array, from 0.
    package let index: Int

    /// The position in the stream at which the element begins.
    package let location: JSONLocation
}

extension DecodingError {
    /// Returns the error of decoding a single element as an error of the whole document.
    ///
    /// - Parameters:
    ///   - path: The member names that lead to the array.
    ///   - place: The position of the element.
    package func inStream(at path: [String], _ place: ElementPlace) -> DecodingError {
        func told(_ context: Context) -> Context {
            let keys = path.map(PathKey.name) + [PathKey.index(place.index)]
            guard let error = context.underlyingError as? JSONError else {
                return Context(
                    codingPath: keys + context.codingPath,
                    debugDescription: context.debugDescription,
                    underlyingError: context.underlyingError
                )
            }
            let location = error.location.behind(place.location)
            return Context(
                codingPath: keys + context.codingPath,
                debugDescription: context.debugDescription
                    .replacingBytes(of: error.location.description, with: location.description),
                underlyingError: JSONError(reason: error.reason, location: location)
            )
        }

        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, told(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, told(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, told(context))
        case .dataCorrupted(let context): .dataCorrupted(told(context))
        @unknown default: self
        }
    }
}

extension JSONLocation {
    /// Returns the position in the whole of a position in a text that begins at `start`.
    fileprivate func behind(_ start: JSONLocation) -> JSONLocation {
        JSONLocation(
            line: start.line + line - 1,
            column: line == 1 ? start.column + column - 1 : column,
            byteOffset: start.byteOffset + byteOffset
        )
    }
}
