import Cosm
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("Requests of Cosm's calls", .timeLimit(.minutes(5)))
struct CallTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let target: String
        let body: String?
        let answer: TransportResponse
        /// The value that the call returns for the answer; `nil` if it returns none, or one that does not matter.
        let value: (any Equatable & Sendable)?
        let call: @Sendable (CosmClient) async throws -> (any Equatable & Sendable)?

        init(
            method: HTTPRequest.Method,
            target: String,
            body: String? = nil,
            answer: TransportResponse = .empty(status: 200),
            call: @escaping @Sendable (CosmClient) async throws -> Void
        ) {
            (self.method, self.target, self.body, self.answer) = (method, target, body, answer)
            value = nil
            self.call = { cosm in
                try await call(cosm)
                return nil
            }
        }

        init<Value: Equatable & Sendable>(
            method: HTTPRequest.Method,
            target: String,
            body: String? = nil,
            answer: TransportResponse,
            value: Value,
            call: @escaping @Sendable (CosmClient) async throws -> Value
        ) {
            (self.method, self.target, self.body, self.answer) = (method, target, body, answer)
            self.value = value
            self.call = { try await call($0) }
        }

        func isExpected(_ found: (any Equatable & Sendable)?) -> Bool {
            guard let found, let value else { return found == nil && value == nil }
            func equals<Value: Equatable>(_ value: Value) -> Bool { value == found as? Value }
            return equals(value)
        }

        var testDescription: String { "\(method) \(target)" }
    }

    fileprivate static let at = Timestamp(microseconds: 1_274_353_303_000_000)
    private static let stamp = "2010-05-20T11%3A01%3A43.000000Z"

    static let feeds: [Case] = [
        Case(method: .get, target: "/v2/feeds.json", answer: .json(#"{"results":[]}"#)) { _ = try await $0.feeds() },
        Case(
            method: .get,
            target: "/v2/feeds.csv?order=created_at&page=2&per_page=9&q=shed%20door&status=live",
            answer: .data(Data("1,a,,2".utf8))
        ) {
            let query = FeedQuery(page: 2, perPage: 9, text: "shed door", status: .live, order: .created)
            _ = try await $0.feeds(query, format: .csv)
        },
        Case(
            method: .get,
            target:
                "/v2/feeds.json?content=summary&distance=10.5&distance_units=miles&lat=51.5&lon=-0.25&show_user=true"
                + "&tag=a%26b&timezone=%2B3.5&units=C&user=ann&x=1",
            answer: .json(#"{"results":[]}"#)
        ) {
            let area = FeedQuery.Area(latitude: 51.5, longitude: -0.25, distance: 10.5, unit: .miles)
            let query = FeedQuery(
                content: .summary,
                tag: "a&b",
                user: "ann",
                units: "C",
                showsUser: true,
                area: area,
                timeZone: .offset(hours: 3.5),
                additional: ["x": "1"]
            )
            _ = try await $0.feeds(query)
        },
        Case(
            method: .get,
            target: "/v2/feeds/504.json?datastreams=a%2Cb&show_user=true&time=2010-05-20T11%3A01%3A43.000000Z",
            answer: .json("{}")
        ) {
            _ = try await $0.feed(504, options: ReadOptions(datastreams: ["a", "b"], showsUser: true, asOf: at))
        },
        Case(
            method: .post,
            target: "/v2/feeds.json",
            body: #"{"title":"Shed","datastreams":[{"id":"temp","current_value":"20.5"}]}"#,
            answer: created("http://cosm.test/v2/feeds/55025"),
            value: 55025 as Feed.ID
        ) {
            let temp = Datastream(id: "temp", currentValue: 20.5, version: "1.0.0")
            let feed = Feed(id: 1, title: "Shed", status: .live, location: Location(), datastreams: [temp])
            return try await $0.createFeed(feed)
        },
        Case(method: .put, target: "/v2/feeds/504.csv", body: "temp,,20.5") {
            try await $0.updateFeed(
                504,
                Feed(id: 504, datastreams: [Datastream(id: "temp", currentValue: "20.5")]),
                format: .csv
            )
        },
        Case(method: .delete, target: "/v2/feeds/504.json") { try await $0.deleteFeed(504) },
    ]

    static let datastreams: [Case] = [
        Case(
            method: .get,
            target: "/v2/feeds/504/datastreams/current.xml.json?duration=1day&interval=900&limit=1000",
            answer: .json("{}")
        ) {
            let history = HistoryQuery(duration: .days(1), interval: .quarterHour, limit: 1000)
            _ = try await $0.datastream("current.xml", in: 504, options: ReadOptions(history: history))
        },
        Case(
            method: .get,
            target:
                "/v2/feeds/504/datastreams/temp.png?b=true&c=FF8800&duration=1day&g=false&h=200&l=x&s=2&t=Shed&w=300",
            answer: .data(Data([0x89])),
            value: Data([0x89])
        ) {
            var options = GraphOptions()
            (options.width, options.height, options.strokeWidth) = (300, 200, 2)
            (options.colour, options.title, options.legend) = ("FF8800", "Shed", "x")
            (options.hasAxisLabels, options.hasDetailedGrid) = (true, false)
            return try await $0.graph(
                of: "temp",
                in: 504,
                history: HistoryQuery(duration: .days(1)),
                options: options
            )
        },
        Case(
            method: .post,
            target: "/v2/feeds/504/datastreams.json",
            body: #"{"version":"1.0.0","datastreams":[{"id":"test"}]}"#,
            answer: created("http://cosm.test/v2/feeds/504/datastreams/test")
        ) { try await $0.createDatastreams([Datastream(id: "test")], in: 504) },
        Case(method: .put, target: "/v2/feeds/504/datastreams/a%20b.json", body: #"{"current_value":"22"}"#) {
            try await $0.updateDatastream("a b", in: 504, Datastream(currentValue: 22))
        },
        Case(method: .put, target: "/v2/feeds/504/datastreams/temp.csv", body: "22") {
            try await $0.updateDatastream("temp", in: 504, Datastream(id: "temp", currentValue: 22), format: .csv)
        },
        Case(method: .delete, target: "/v2/feeds/504/datastreams/temp.json") {
            try await $0.deleteDatastream("temp", in: 504)
        },
        Case(
            method: .get,
            target: "/v2/feeds/504/datastreams/t/datapoints/\(stamp).json",
            answer: .json(#"{"value":"2"}"#),
            value: Datapoint(at: at, value: "2")
        ) { try await $0.datapoint(at: at, of: "t", in: 504) },
        Case(
            method: .post,
            target: "/v2/feeds/504/datastreams/t/datapoints.json",
            body: #"{"datapoints":[{"at":"2010-05-20T11:01:43.000000Z","value":"294"}]}"#
        ) { try await $0.storeDatapoint(Datapoint(at: at, value: 294), of: "t", in: 504) },
        Case(
            method: .post,
            target: "/v2/feeds/504/datastreams/t/datapoints.csv",
            body: "2010-05-20T11:01:43.000000Z,294"
        ) { try await $0.storeDatapoints([Datapoint(at: at, value: 294)], of: "t", in: 504, format: .csv) },
        Case(method: .put, target: "/v2/feeds/504/datastreams/t/datapoints/\(stamp).json", body: #"{"value":"297"}"#) {
            try await $0.updateDatapoint(at: at, value: "297", of: "t", in: 504)
        },
        Case(method: .delete, target: "/v2/feeds/504/datastreams/t/datapoints/\(stamp).json") {
            try await $0.deleteDatapoint(at: at, of: "t", in: 504)
        },
        Case(method: .delete, target: "/v2/feeds/504/datastreams/t/datapoints.json?duration=2hours&start=\(stamp)") {
            try await $0.deleteDatapoints(DatapointRange(start: at, duration: .hours(2)), of: "t", in: 504)
        },
    ]

    static let accounts: [Case] = [
        Case(method: .get, target: "/v2/triggers.json?feed_id=504", answer: .json("[]"), value: []) {
            try await $0.triggers(on: 504)
        },
        Case(
            method: .get,
            target: "/v2/triggers/7.xml",
            answer: .data(Data("<datastream-trigger><id>7</id></datastream-trigger>".utf8)),
            value: 7 as Trigger.ID
        ) { try await $0.trigger(7, format: .xml).id },
        Case(
            method: .post,
            target: "/v2/triggers.json",
            body:
                #"{"url":"http://host/","trigger_type":"gt","threshold_value":"6.6","environment_id":929,"stream_id":"0"}"#,
            answer: created("http://cosm.test/v2/triggers/14/"),
            value: 14 as Trigger.ID
        ) {
            let trigger = Trigger(
                id: 3,
                feedID: 929,
                datastreamID: "0",
                url: "http://host/",
                condition: .greater,
                threshold: 6.6,
                user: "ann"
            )
            return try await $0.createTrigger(trigger)
        },
        Case(method: .put, target: "/v2/triggers/7.json", body: #"{"trigger_type":"live"}"#) {
            try await $0.updateTrigger(7, Trigger(condition: .live))
        },
        Case(method: .delete, target: "/v2/triggers/7.json") { try await $0.deleteTrigger(7) },
        Case(
            method: .get,
            target: "/v2/keys.json",
            answer: .json(#"{"keys":[{"key":{"label":"x"}}]}"#),
            value: [APIKey(label: "x")]
        ) { try await $0.keys() },
        Case(method: .get, target: "/v2/keys/abc.json", answer: .json(#"{"key":{"label":"x"}}"#), value: "x") {
            try await $0.key("abc").label
        },
        Case(
            method: .post,
            target: "/v2/keys.json",
            body: #"{"key":{"label":"x","permissions":[{"access_methods":["get"]}]}}"#,
            answer: created("http://cosm.test/v2/keys/new%2Bkey.json?x=1"),
            value: "new+key" as Secret
        ) {
            let key = APIKey(key: "old", label: "x", permissions: [APIKey.Permission(accessMethods: [.get])])
            return try await $0.createKey(key)
        },
        Case(method: .put, target: "/v2/keys/abc.json", body: #"{"key":{"label":"y"}}"#) {
            try await $0.updateKey("abc", APIKey(label: "y"))
        },
        Case(method: .delete, target: "/v2/keys/abc.json") { try await $0.deleteKey("abc") },
        Case(
            method: .get,
            target: "/v2/users.json",
            answer: .json(#"[{"user":{"login":"ann"}}]"#),
            value: [User(login: "ann")]
        ) { try await $0.users() },
        Case(method: .get, target: "/v2/users/ann.json", answer: .json(#"{"user":{"login":"ann"}}"#), value: "ann") {
            try await $0.user("ann").login
        },
        Case(method: .post, target: "/v2/users.json", body: #"{"user":{"login":"ann"}}"#, answer: .empty(status: 201)) {
            try await $0.createUser(User(login: "ann"))
        },
        Case(method: .put, target: "/v2/users/ann.json", body: #"{"user":{"about":"x"}}"#) {
            try await $0.updateUser("ann", User(about: "x"))
        },
        Case(method: .delete, target: "/v2/users/ann.json") { try await $0.deleteUser("ann") },
    ]

    @Test(
        "a call sends the documented method, target and body, with the key in its header field",
        arguments: feeds + datastreams + accounts
    )
    func sent(test: Case) async throws {
        let transport = MockTransport(answers: [test.answer])
        let value = try await test.call(try makeAPI(transport))
        #expect(test.isExpected(value), "\(String(describing: value))")
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(request.method == test.method && request.url.target == test.target, "\(request.url.target)")
        #expect(request.fields[.apiKey] == "secret-key-1234")
        #expect(request.bodyText == test.body ?? "")
    }

    @Test("a client without a key sends no key field, and an empty or unprintable key is an error")
    func keys() async throws {
        let transport = MockTransport(answers: [.json(#"{"results":[]}"#)])
        _ = try await makeAPI(transport, key: nil).feeds()
        #expect(transport.requests.first?.fields[.apiKey] == nil)
        for key in ["", "a\nb"] {
            let error = try #require(throws: CosmError.self) { _ = try makeAPI(transport, key: Secret(key)) }
            #expect(error.kind == .invalidConfiguration)
        }
    }

    @Test("limited(to:) sets the time limit of a client's calls")
    func limited() async throws {
        let transport = MockTransport(answers: [.json("{}")])
        let cosm = try makeAPI(transport)
        _ = try await cosm.limited(to: .seconds(600)).feed(1)
        let limit = try #require(transport.requests.first?.timeouts.total)
        #expect(limit <= .seconds(600) && limit > .seconds(500))
    }
}

extension HTTPField.Name {
    fileprivate static let apiKey = HTTPField.Name("X-ApiKey") ?? .authorization
}
