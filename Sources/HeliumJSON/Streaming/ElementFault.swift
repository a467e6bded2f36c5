/// Why the elements of an array can't be had from a stream.
package struct ElementFault: Error {
    /// What is wrong, by what somebody may have to do with it.
    package enum Kind: Sendable {
        /// This is no JSON, or too deep.
        case invalid
        /// There is not a single value.
        case empty
        /// There is no array at the path.
        case missing
        /// Something else stands at the path, or on the way to it.
        case mismatch
        /// An element is longer than it may be.
        case elementTooLong
    }

    /// What is wrong.
    package let kind: Kind

    /// The same as the error of decoding the document at once.
    package let decodingError: DecodingError
}

/// An element's place.
package struct ElementPlace: Sendable {
    /// Its number in the array, from 0.
    package let index: Int

    /// Where in the stream it begins.
    package let location: JSONLocation
}

extension DecodingError {
    /// The error of decoding an element alone, told as one of the whole document.
    ///
    /// - Parameters:
    ///   - path: The names of the members to the array.
    ///   - place: The element's.
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
    /// A place in a text that begins at `start`, as a place in the whole.
    fileprivate func behind(_ start: JSONLocation) -> JSONLocation {
        JSONLocation(
            line: start.line + line - 1,
            column: line == 1 ? start.column + column - 1 : column,
            byteOffset: start.byteOffset + byteOffset
        )
    }
}
