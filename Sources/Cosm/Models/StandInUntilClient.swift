// Goes as soon as branch K has its client: so that the models build and are tested until then.
public import Foundation
internal import HeliumConcurrency
internal import HeliumJSON
public import HeliumKit
internal import Synchronization

public final class CosmAPI: Sendable {
    let helium: Helium
    public init(apiKey: String, baseURL: URL, environment: ClientEnvironment = ClientEnvironment()) throws {
        helium = try Helium(
            baseURL: baseURL,
            authorizer: .apiKey(apiKey, header: "X-ApiKey"),
            environment: environment
        )
    }
    private static let shared = Guarded<CosmAPI?>(nil)
    static var `default`: CosmAPI {
        get throws { guard let a = shared.withLock({ $0 }) else { throw CancellationError() }; return a }
    }
}
public struct UpdateOrigin: Hashable, Sendable {}
extension ModelRequests {
    private var helium: Helium { api.helium }
    func feed(_ id: Feed.ID, _ p: [String: ParameterValue]) async throws -> Feed {
        try await helium.get("/feeds/:id", returning: Feed.self).pathReplacements(["id": id.text]).parameters(p).value()
    }
    func feeds(_ p: [String: ParameterValue]) async throws -> FeedPage {
        try await helium.get("/feeds", returning: FeedPage.self).parameters(p).value()
    }
    func createFeed(_ body: JSONObject) async throws -> Feed.ID {
        let r = try await helium.post("/feeds", body: JSONValue.object(body)).response()
        return Feed.ID(String((r.head[.location] ?? "/").split(separator: "/").last ?? ""))
    }
    func updateFeed(_ id: Feed.ID, _ body: JSONObject) async throws {
        try await helium.put("/feeds/:id", body: JSONValue.object(body)).pathReplacements(["id": id.text]).value()
    }
    func deleteFeed(_ id: Feed.ID) async throws {
        try await helium.delete("/feeds/:id").pathReplacements(["id": id.text]).value()
    }
    func datastream(_ id: String, of feed: Feed.ID, _ p: [String: ParameterValue]) async throws -> Datastream {
        try await helium.get("/feeds/:f/datastreams/:d", returning: Datastream.self).pathReplacements([
            "f": feed.text, "d": id,
        ]).parameters(p).value()
    }
    func updateDatastream(_ id: String, of feed: Feed.ID, _ body: JSONObject) async throws {
        try await helium.put("/feeds/:f/datastreams/:d", body: JSONValue.object(body)).pathReplacements([
            "f": feed.text, "d": id,
        ]).value()
    }
    func deleteDatastream(_ id: String, of feed: Feed.ID) async throws {
        try await helium.delete("/feeds/:f/datastreams/:d").pathReplacements(["f": feed.text, "d": id]).value()
    }
    func datapoint(at: Timestamp, in place: DatastreamPlace, _ p: [String: ParameterValue]) async throws -> Datapoint {
        try await helium.get("/feeds/:f/datastreams/:d/datapoints/:t", returning: Datapoint.self).pathReplacements([
            "f": place.feedID.text, "d": place.datastreamID, "t": at.description,
        ]).parameters(p).value()
    }
    func store(_ points: [Datapoint], in place: DatastreamPlace, stored: (Int) -> Void = { _ in }) async throws {
        var done = 0
        while done < points.count {
            let part = Array(points[done..<min(done + 500, points.count)])
            try await helium.post("/feeds/:f/datastreams/:d/datapoints", body: ["datapoints": part]).pathReplacements([
                "f": place.feedID.text, "d": place.datastreamID,
            ]).value()
            done += part.count
            stored(done)
        }
    }
    func deleteDatapoint(at: Timestamp, in place: DatastreamPlace) async throws {
        try await helium.delete("/feeds/:f/datastreams/:d/datapoints/:t").pathReplacements([
            "f": place.feedID.text, "d": place.datastreamID, "t": at.description,
        ]).value()
    }
}
