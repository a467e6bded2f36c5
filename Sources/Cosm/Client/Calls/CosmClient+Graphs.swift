public import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

/// The appearance of a graph (Docs/Protocols/Cosm.md §4).
public struct GraphOptions: Hashable, Sendable {
    /// The width, in pixels. Default: the server's.
    public var width: Int?

    /// The height, in pixels. Default: the server's.
    public var height: Int?

    /// The color of the line as six hexadecimal digits: `FF8800`. Default: the server's.
    public var colour: String?

    /// The title above the graph. Default: none.
    public var title: String?

    /// The legend. Default: none.
    public var legend: String?

    /// The width of the line, in pixels. Default: the server's.
    public var strokeWidth: Int?

    /// Whether the axes have labels. Default: the server's.
    public var hasAxisLabels: Bool?

    /// Whether the grid is detailed. Default: the server's.
    public var hasDetailedGrid: Bool?

    /// Creates options with the default values.
    public init() {}

    var parameters: QueryParameters {
        [
            "w": width, "h": height, "c": colour, "t": title, "l": legend, "s": strokeWidth, "b": hasAxisLabels,
            "g": hasDetailedGrid,
        ]
    }
}

extension CosmClient {
    /// Returns a graph of a datastream's history as a PNG image. Not every server supports graphs.
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}.png`; needs `get` on the datastream (Docs/Protocols/Cosm.md §4).
    ///
    /// - Parameters:
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - history: The window of the graph. Default: the server's.
    ///   - options: The appearance of the graph. Default: the server's.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notAcceptable`` if the server does not support graphs;
    ///   `CancellationError`.
    public func graph(
        of datastream: String,
        in feed: Feed.ID,
        history: HistoryQuery = HistoryQuery(),
        options: GraphOptions = GraphOptions()
    ) async throws -> Data {
        var parameters = try history.parameters(now: now)
        parameters.merge(options.parameters)
        return try await sendRequest(
            .get,
            .datastream(feed, datastream),
            parameters,
            suffix: ".png",
            mediaType: "image/png"
        ).value
    }
}
