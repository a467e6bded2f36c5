/// The reason why a scope file cannot be used, with the place of the fault.
public struct ScopeFileError: Error, Hashable, Sendable {
    /// The place in the file, such as `classes.Card.properties.due`; empty for the whole file.
    public let path: String
    /// The fault, in words.
    public let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension ScopeFileError: CustomStringConvertible {
    /// The place and the reason.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
