@testable import CosmServer

/// A request of the table of rights.
struct RightsRow: Sendable {
    let action: CosmAction
    let path: String
    var body: String?
    /// The right answer for a client.
    let outcome: @Sendable (RightsActor) -> RightsActor.Outcome
    /// The planted texts that the answer may have for a client, if it is allowed.
    var shows: @Sendable (RightsActor) -> Set<String> = { _ in [] }

    var method: String {
        switch action {
        case .listFeeds, .readFeed, .listDatastreams, .readDatastream, .readDatapoint, .listKeys, .readKey,
            .listTriggers, .readTrigger, .listUsers, .readUser:
            "GET"
        case .createFeed, .createDatastreams, .createDatapoints, .createKey, .createTrigger, .createUser: "POST"
        case .updateFeed, .updateDatastream, .updateDatapoint, .updateKey, .updateTrigger, .updateUser: "PUT"
        case .deleteFeed, .deleteDatastream, .deleteDatapoints, .deleteDatapoint, .deleteKey, .deleteTrigger,
            .deleteUser:
            "DELETE"
        }
    }
}

/// The texts that are planted in the resources of the table.
enum Planted {
    static let openFeed = "PLANTED-PUBLIC-FEED"
    static let open = "PLANTED-PUBLIC-STREAM"
    static let privateFeed = "PLANTED-PRIVATE-FEED"
    static let secret = "PLANTED-PRIVATE-SECRET"
    static let hidden = "PLANTED-PRIVATE-HIDDEN"
    static let firstTrigger = "PLANTED-TRIGGER-1"
    static let secondTrigger = "PLANTED-TRIGGER-2"
    static let key = "PLANTED-KEY"
    static let user = "PLANTED-USER"
    static let all = [openFeed, open, privateFeed, secret, hidden, firstTrigger, secondTrigger, key, user]

    /// The texts of a feed with all its datastreams.
    static func texts(ofFeed id: Int) -> Set<String> { id == 1 ? [openFeed, open] : [privateFeed, secret, hidden] }

    static func texts(ofStreamOf feed: Int) -> Set<String> { feed == 1 ? [open] : [secret] }
}

extension RightsRow {
    private static let instant = "2013-01-01T00:00:00Z"

    /// Returns the requests for a call. The switch is exhaustive, so that a call without a row does not compile.
    ///
    /// - Parameter key: A key of `alice` that no client of the table uses.
    static func rows(for action: CosmAction, key: String) -> [Self] {
        switch action {
        case .listFeeds:
            return ["/feeds?per_page=1000", "/feeds?content=summary", "/feeds?q=planted", "/feeds?user=alice"].map {
                path in
                Self(action: action, path: path, outcome: { $0.list() }) { actor in
                    Set([1, 2].filter { actor.feed($0, nil, .get) == .allowed }.flatMap { Planted.texts(ofFeed: $0) })
                }
            }
        case .createFeed: return [Self(action: action, path: "/feeds", body: #"{"title":"new"}"#) { $0.newFeed() }]
        case .readFeed:
            return feeds(action, ["", "?limit=10", "?time=2013-06-01T00:00:00Z"], .get, Planted.texts(ofFeed:))
        case .updateFeed: return feeds(action, [""], .put, body: #"{"website":"w"}"#)
        case .deleteFeed: return feeds(action, [""], .delete)
        case .listDatastreams:
            return feeds(action, ["/datastreams", "/datastreams?limit=5"], .get, Planted.texts(ofFeed:))
        case .createDatastreams:
            return feeds(action, ["/datastreams"], .post, body: #"{"datastreams":[{"id":"new"}]}"#)
        case .readDatastream: return streams(action, ["", "?find_previous=true", "?limit=3"], .get)
        case .updateDatastream: return streams(action, [""], .put, body: #"{"tags":[]}"#)
        case .deleteDatastream: return streams(action, [""], .delete)
        case .createDatapoints:
            let body = #"{"datapoints":[{"at":"2012-01-01T00:00:00Z","value":"1"}]}"#
            return streams(action, ["/datapoints"], .post, body: body)
        case .deleteDatapoints: return streams(action, ["/datapoints?end=2011-01-01T00:00:00Z"], .delete)
        case .readDatapoint: return streams(action, ["/datapoints/\(instant)"], .get)
        case .updateDatapoint: return streams(action, ["/datapoints/\(instant)"], .put, body: #"{"value":"2"}"#)
        case .deleteDatapoint: return streams(action, ["/datapoints/\(instant)"], .delete)
        case .listKeys:
            return [
                Self(action: action, path: "/keys", outcome: { $0.keys() }) {
                    $0.seesOtherKeys ? [Planted.key] : []
                }
            ]
        case .createKey:
            let body = #"{"key":{"label":"k","permissions":[{"access_methods":["get"]}]}}"#
            return [Self(action: action, path: "/keys", body: body) { $0.newKey() }]
        case .readKey:
            return [Self(action: action, path: "/keys/\(key)", outcome: { $0.otherKey() }) { _ in [Planted.key] }]
        case .updateKey:
            let body = #"{"key":{"label":"\#(Planted.key)","permissions":[{"access_methods":["get"]}]}}"#
            return [Self(action: action, path: "/keys/\(key)", body: body) { $0.otherKey() }]
        case .deleteKey: return [Self(action: action, path: "/keys/\(key)") { $0.otherKey() }]
        case .listTriggers:
            return [("/triggers", [1, 2]), ("/triggers?feed_id=2", [2])].map { path, ids in
                Self(action: action, path: path, outcome: { $0.list() }) { actor in
                    Set(
                        ids.filter { actor.trigger($0, .get) == .allowed }
                            .map { $0 == 1 ? Planted.firstTrigger : Planted.secondTrigger }
                    )
                }
            }
        case .createTrigger:
            return [(1, "open"), (2, "secret")].map { feed, stream in
                Self(action: action, path: "/triggers", body: trigger(feed, stream)) { $0.newTrigger(on: feed, stream) }
            }
        case .readTrigger:
            return [(1, Planted.firstTrigger), (2, Planted.secondTrigger)].map { id, text in
                Self(action: action, path: "/triggers/\(id)", outcome: { $0.trigger(id, .get) }) { _ in [text] }
            }
        case .updateTrigger:
            // The first points a trigger on a public datastream at a private one.
            return [(1, 2, "secret"), (2, 2, "secret"), (1, 1, "open")].map { id, feed, stream in
                Self(action: action, path: "/triggers/\(id)", body: trigger(feed, stream, id)) {
                    $0.change(id, toWatch: feed, stream)
                }
            }
        case .deleteTrigger:
            return [1, 2].map { id in Self(action: action, path: "/triggers/\(id)") { $0.trigger(id, .delete) } }
        case .listUsers: return [Self(action: action, path: "/users", outcome: { $0.users() }) { _ in [Planted.user] }]
        case .createUser:
            return [Self(action: action, path: "/users", body: #"{"user":{"login":"new"}}"#) { $0.users() }]
        case .readUser:
            return [
                Self(action: action, path: "/users/alice", outcome: { $0.user("alice", .get) }) { _ in [Planted.user] }
            ]
        case .updateUser:
            return [
                Self(action: action, path: "/users/alice", body: #"{"user":{"website":"w"}}"#) {
                    $0.user("alice", .put)
                }
            ]
        case .deleteUser: return [Self(action: action, path: "/users/alice") { $0.user("alice", .delete) }]
        }
    }

    /// Returns the JSON of a trigger that never fires.
    static func trigger(_ feed: Int, _ stream: String, _ id: Int = 0) -> String {
        let url = "http://receiver.example/PLANTED-TRIGGER-\(id)"
        return
            #"{"environment_id":\#(feed),"stream_id":"\#(stream)","url":"\#(url)","trigger_type":"gt","threshold_value":1e9}"#
    }

    private static func feeds(
        _ action: CosmAction,
        _ paths: [String],
        _ method: AccessMethod,
        body: String? = nil,
        _ shows: @escaping @Sendable (Int) -> Set<String> = { _ in [] }
    ) -> [Self] {
        [1, 2].flatMap { id in
            paths.map { path in
                Self(action: action, path: "/feeds/\(id)\(path)", body: body, outcome: { $0.feed(id, nil, method) }) {
                    _ in
                    shows(id)
                }
            }
        }
    }

    private static func streams(
        _ action: CosmAction,
        _ paths: [String],
        _ method: AccessMethod,
        body: String? = nil
    ) -> [Self] {
        let streams: [(Int, String)] = [(1, "open"), (2, "secret")]
        return streams.flatMap { feed, stream in
            paths.map { path in
                Self(
                    action: action,
                    path: "/feeds/\(feed)/datastreams/\(stream)\(path)",
                    body: body,
                    outcome: { $0.feed(feed, stream, method) }
                ) { _ in Planted.texts(ofStreamOf: feed) }
            }
        }
    }
}
