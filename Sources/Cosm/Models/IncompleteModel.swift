public import Foundation

/// A model lacks what a request would need. None was made.
///
/// The texts are LibCOSM's.
public struct IncompleteModel: Error, Hashable, Sendable {
    /// What is missing: `Feed has no id`.
    public let description: String

    private init(_ description: String) { self.description = description }
}

extension IncompleteModel: CustomStringConvertible, LocalizedError {
    /// What is missing.
    public var errorDescription: String? { description }
}

extension IncompleteModel {
    /// A feed has no id: it was neither saved nor made with one.
    public static let feedHasNoID = Self("Feed has no id")
    /// A datastream belongs to no feed.
    public static let datastreamHasNoFeedID = Self("Datastream has no feed id")
    /// A datastream has no id, which is chosen by the user.
    public static let datastreamHasNoID = Self("Datastream has no id")
    /// A datapoint belongs to no feed.
    public static let datapointHasNoFeedID = Self("Datapoint has no feed id")
    /// A datapoint belongs to no datastream.
    public static let datapointHasNoDatastreamID = Self("Datapoint has no datastream id")
    /// A datapoint has no instant.
    public static let datapointHasNoInstant = Self("Datapoint has no `at` value")
    /// A collection of datapoints belongs to no feed.
    public static let collectionHasNoFeedID = Self("Datapoint collection has no feed id")
    /// A collection of datapoints belongs to no datastream.
    public static let collectionHasNoDatastreamID = Self("Datapoint collection has no datastream id")
}
