/// Why a request's body could not be read, in words that hold nothing secret.
package struct UploadFailure: Error, Sendable, CustomStringConvertible {
    /// One sentence for people.
    package let description: String

    package init(_ description: String) { self.description = description }
}
