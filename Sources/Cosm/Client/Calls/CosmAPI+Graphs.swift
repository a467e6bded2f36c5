public import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

/// How a graph looks (§4).
public struct GraphOptions: Hashable, Sendable {
    /// The width, in pixels. Default: the server's.
    public var width: Int?

    /// The height, in pixels. Default: the server's.
    public var height: Int?

    /// The line's colour, as six hexadecimal digits: `FF8800`. Default: the server's.
    public var colour: String?

    /// The title above it. Default: none.
    public var title: String?

    /// The legend. Default: none.
    public var legend: String?

    /// The line's width, in pixels. Default: the server's.
    public var strokeWidth: Int?

    /// Whether the axes have labels. Default: the server's.
    public var hasAxisLabels: Bool?

    /// Whether the grid is detailed. Default: the server's.
    public var hasDetailedGrid: Bool?

    /// The defaults.
    public init() {}

    var parameters: QueryParameters {
        [
            "w": width, "h": height, "c": colour, "t": title, "l": legend, "s": strokeWidth, "b": hasAxisLabels,
            "g": hasDetailedGrid,
        ]
    }
}

extension CosmAPI {
    /// A graph of a datastream's history, as a PNG image. Not every server draws.
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}.png`; needs `get` on the datastream (§4).
    ///
    /// - Parameters:
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    ///   - history: The stretch. Default: the server's.
    ///   - options: How the graph looks. Default: as the server draws it.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notAcceptable`` by a server that draws none; `CancellationError`.
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
