public import Foundation

/// The result of an update on the server's side (Docs/Protocols/Jetstream.md §5.6).
public struct JetstreamUpdateResult: Hashable, Sendable {
    /// The number of objects that the query found: 0 or 1.
    public var matched = 0
    /// The added objects.
    public var created: [UUID] = []
    /// The objects with a changed property.
    public var modified: [UUID] = []
    /// The reasons why parts of the update failed, each with the operator and path.
    public var writeErrors: [String] = []

    /// Creates a result without a matching object.
    public init() {}
}
