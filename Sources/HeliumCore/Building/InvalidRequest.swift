/// The error of a request that cannot be built, found before any I/O.
package struct InvalidRequest: Error, Sendable {
    /// One sentence that names the invalid part.
    package let message: String

    /// Whether the body's value could not be encoded.
    let isEncoding: Bool

    /// The encoder's error.
    let underlying: (any Error)?

    init(_ message: String) {
        self.message = message
        isEncoding = false
        underlying = nil
    }

    init(encoding type: Any.Type, error: any Error) {
        message = "the body of type \(type) can't be encoded"
        isEncoding = true
        underlying = error
    }
}
