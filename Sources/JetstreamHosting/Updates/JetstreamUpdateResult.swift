public import Foundation

/// The result of an update from the server's side (Jetstream.md §5.6).
public struct JetstreamUpdateResult: Hashable, Sendable {
    /// The number of objects that the query found: 0 or 1.
    public var matched = 0
    /// The objects that were added.
    public var created: [UUID] = []
    /// The objects of which a property changed.
    public var modified: [UUID] = []
    /// The reasons why parts of the update were not made, each with the operator and path.
    public var writeErrors: [String] = []

    /// An update that found nothing.
    public init() {}
}
