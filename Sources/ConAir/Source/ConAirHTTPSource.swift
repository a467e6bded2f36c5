public import Foundation
internal import HTTPTypes
public import HeliumCore
public import HeliumCurl
public import HeliumKit

/// A source that reads a series from ConAir's web service.
///
/// ```swift
/// let source = try ConAirHTTPSource(url: url)
/// let now = SeriesTime(Date())
/// let day = try await source.points(in: now.advanced(by: .seconds(-86_400))..<now, step: .seconds(120))
/// ```
///
/// Each request is `GET URL?start=…&stop=…&step=…`. The service averages its readings over each step. A step without
/// readings is absent from the reply.
public final class ConAirHTTPSource: TimeSeriesSource {
    /// The name of the series. Default: the URL without user information.
    public let id: String

    /// The client that sends the requests.
    public let helium: Helium

    /// The path below the base URL of the client.
    private let path: String

    /// Creates a source. No I/O is done.
    ///
    /// - Parameters:
    ///   - url: The URL of the series, for example `http://127.0.0.1:8080/data/`.
    ///   - id: The name of the series. Default: the URL.
    ///   - options: The options of the client.
    ///   - connection: The configuration of connections.
    ///   - environment: The clock, the random source and the transport.
    /// - Throws: `HeliumError` of kind `invalidConfiguration` for a URL to which requests cannot be sent.
    public init(
        url: URL,
        id: String? = nil,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(HeliumError) {
        helium = try Helium(baseURL: url, options: options, connection: connection, environment: environment)
        // The client removes the trailing slash of a base URL.
        path = url.path(percentEncoded: true).hasSuffix("/") ? "/" : ""
        self.id = id ?? url.absoluteString
    }

    /// Closes the connections and cancels running requests. Later requests fail.
    public func close() async { await helium.close() }
}

extension ConAirHTTPSource {
    /// Reads the points of a window. A window of more than 5,000 steps is read in parts, oldest first.
    ///
    /// - Parameters:
    ///   - window: The time span, by the clock of the service. An empty window returns no points and sends no request.
    ///   - step: The step in whole seconds, because the service writes times without a fraction.
    /// - Throws: `HeliumError` if the first request fails or if its reply is not an array. ``ConAirError`` of kind
    ///   ``ConAirError/Kind/incomplete`` if a later request fails, and ``ConAirError/Kind/invalidStep`` before anything
    ///   is sent. `CancellationError`.
    public func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        guard let milliseconds = SeriesWindow.milliseconds(step), milliseconds % 1000 == 0 else {
            throw ConAirError(.invalidStep, "invalid step \(step): use whole seconds, for example 120")
        }
        var reply: SeriesReply?
        for part in SeriesWindow.Parts(of: window, step: step) {
            do {
                let next = try await request(part, milliseconds)
                if reply == nil { reply = next } else { reply?.append(next) }
            } catch let error where reply != nil && !(error is CancellationError) {
                throw ConAirError(
                    .incomplete,
                    "the points from \(part.lowerBound) on are missing",
                    received: reply,
                    underlying: error
                )
            }
        }
        return reply ?? SeriesReply(points: [])
    }

    private func request(_ window: Range<SeriesTime>, _ milliseconds: Int64) async throws -> SeriesReply {
        let response = try await helium.get(path, returning: ReplyDocument.self)
            .parameters([
                "start": window.lowerBound.description, "stop": window.upperBound.description, "step": milliseconds,
            ])
            .response()
        var reply = response.value.reply
        reply.serverTime = response[.date].flatMap { HTTPDate.parse($0) }.map { SeriesTime(seconds: $0) }
        return reply
    }
}

extension ConAirHTTPSource: CustomStringConvertible {
    /// The name of the series.
    public var description: String { "ConAirHTTPSource(\(id))" }
}
