import Cosm
import Foundation
import HeliumTesting
import TestSupport
import Testing

/// The samples of doc comments that no article has. Those of calls that ask for more than one document are compiled, not run.
@Suite("Samples: doc comments of Cosm", .timeLimit(.minutes(5)))
struct CommentSamples {
    private let barn = MockTransport(reading: #"{"id":504,"title":"Barn"}"#)

    @Test("sample in Cosm's doc comments: values")
    func values() {
        let print = Printer()
        // sample
        let shed: Feed.ID = 504
        // end of sample
        // sample
        let week: CosmDuration = .days(7)
        let hour = CosmDuration("1hour")
        // end of sample
        // sample
        let day = HistoryQuery(duration: .days(1), interval: .quarterHour, limit: 1000)
        // end of sample
        // sample
        let value: DatapointValue = 20.5
        print(value.text)  // 20.5
        print(value.double ?? .nan)  // 20.5
        // end of sample
        #expect(shed.text == "504" && week == .days(7) && hour == .hours(1) && day.limit == 1000)
        #expect(print.output == ["20.5", "20.5"])
    }

    @Test("sample in Cosm's doc comments: the first call")
    func firstCall() async throws {
        let key = Secret("key")
        let server = URL(fileURLWithPath: "/")
        func CosmClient(apiKey: Secret, baseURL: URL) throws -> Cosm.CosmClient { try makeAPI(barn, key: apiKey) }
        // sample
        let cosm = try CosmClient(apiKey: key, baseURL: server)
        let shed = try await cosm.feed(504)
        // end of sample
        #expect(shed.title == "Barn")
        await cosm.close()
    }

    @Test("sample in Cosm's doc comments: a time limit")
    func timeLimit() async throws {
        let cosm = try makeAPI(barn)
        // sample
        let shed = try await cosm.limited(to: .seconds(5)).feed(504)
        // end of sample
        #expect(shed.title == "Barn")
    }

    @Test("sample in Cosm's doc comments: changes")
    func changes() async throws {
        let cosm = try makeAPI(barn)
        // sample
        let fetched = try await cosm.feed(504)
        var shed = fetched
        shed.title = "Shed"
        try await cosm.updateFeed(504, shed.changes(since: fetched))
        // end of sample
        #expect(barn.requests.last?.line == #"PUT /v2/feeds/504 {"title":"Shed"}"#)
    }

    @Test("sample in Cosm's doc comments: a list")
    func list() async throws {
        let document =
            #"[{"trigger":{"id":3,"url":"http://barn.example/"}},{"trigger":{"id":14,"threshold_value":{}}}]"#
        let cosm = try makeAPI(MockTransport(reading: document))
        let print = Printer()
        // sample
        let triggers = try await cosm.triggers()
        for trigger in triggers { print(trigger.url ?? "") }
        if !triggers.unreadable.isEmpty { print(triggers.unreadable) }  // 1 unreadable: 14
        // end of sample
        #expect(print.output == ["http://barn.example/", "1 unreadable: 14"])
    }

    @Test("sample in Cosm's doc comments: an error")
    func error() async throws {
        let refusal = #"{"title":"Invalid","errors":["Title can't be blank"]}"#
        let cosm = try makeAPI(MockTransport(answers: [.json(refusal, status: 422)]))
        let draft = Feed(title: "")
        let print = Printer()
        // sample
        do {
            try await cosm.createFeed(draft)
        } catch let error as CosmError where error.kind == .invalid {
            print(error.messages)  // ["Title can't be blank"]
        }
        // end of sample
        #expect(print.output == [["Title can't be blank"].description])
    }

    @Test("sample in Cosm's doc comments: rows of a file")
    func rows() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("2013-02-01T09:00:02Z,20.5".utf8))
        try pipe.fileHandleForWriting.close()
        let input = pipe.fileHandleForReading
        var stored: [Datapoint] = []
        func store(_ points: [Datapoint]) { stored += points }
        // sample
        var rows = DatapointRows()
        while let chunk = try input.read(upToCount: 1 << 16) { store(try rows.append(chunk)) }
        store(try rows.finish())
        // end of sample
        #expect(stored.map(\.value) == ["20.5"])
    }

    private func history(_ cosm: CosmClient, from start: Timestamp) async throws {
        // sample
        for try await point in cosm.history(of: "temp", in: 504, from: start, every: .hour) {
            print(point.at?.description ?? "", point.value?.double ?? .nan)
        }
        // end of sample
    }

    private func collection() async throws {
        // sample
        let feeds = FeedCollection()
        feeds.useParameter("q", withValue: "temperature")
        try await feeds.fetch()
        for feed in feeds.feeds { print(feed.title ?? "") }
        // end of sample
    }

    private func datastream() async throws {
        // sample
        let stream = DatastreamModel(Datastream(id: "temp", currentValue: 20.5), feedID: 504)
        try await stream.save()
        stream.useParameter("duration", withValue: "1day")
        try await stream.fetch()
        for point in stream.datapoints.datapoints { print(point.at?.description ?? "", point.value?.text ?? "") }
        // end of sample
    }

    private func feed() async throws {
        // sample
        let feed = FeedModel(id: 504)
        try await feed.fetch()
        feed.title = "Shed"
        feed.datastreams.add(Datastream(id: "temp", currentValue: 20.5))
        try await feed.save()
        // end of sample
    }
}
