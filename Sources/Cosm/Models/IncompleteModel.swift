public import Foundation

/// The error for a model that lacks an id or an instant that a request needs. No request was sent.
///
/// The texts are those of LibCOSM.
public struct IncompleteModel: Error, Hashable, Sendable {
    /// The missing part: `Feed has no id`.
    public let description: String

    private init(_ description: String) { self.description = description }
}

extension IncompleteModel: CustomStringConvertible, LocalizedError {
    /// The missing part.
    public var errorDescription: String? { description }
}

extension IncompleteModel {
    /// The feed has no id: it was not saved, and was not created with an id.
    public static let feedHasNoID = Self("Feed has no id")
    /// The datastream belongs to no feed.
    public static let datastreamHasNoFeedID = Self("Datastream has no feed id")
    /// The datastream has no id. Programs choose the ids of datastreams.
    public static let datastreamHasNoID = Self("Datastream has no id")
    /// The datapoint belongs to no feed.
    public static let datapointHasNoFeedID = Self("Datapoint has no feed id")
    /// The datapoint belongs to no datastream.
    public static let datapointHasNoDatastreamID = Self("Datapoint has no datastream id")
    /// The datapoint has no instant.
    public static let datapointHasNoInstant = Self("Datapoint has no `at` value")
    /// The collection of datapoints belongs to no feed.
    public static let collectionHasNoFeedID = Self("Datapoint collection has no feed id")
    /// The collection of datapoints belongs to no datastream.
    public static let collectionHasNoDatastreamID = Self("Datapoint collection has no datastream id")
}
