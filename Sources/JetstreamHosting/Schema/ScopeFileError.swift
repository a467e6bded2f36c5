/// The reason why a scope file cannot be used, with the path of the error.
public struct ScopeFileError: Error, Hashable, Sendable {
    /// The path in the file, such as `classes.Card.properties.due`; empty for the whole file.
    public let path: String
    /// A description of the error.
    public let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension ScopeFileError: CustomStringConvertible {
    /// The path and the reason.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
