import Cosm
import Foundation
import HTTPTypes
import HeliumTesting
import Testing

/// The samples of the articles on calls, formats and histories, run.
@Suite("Samples: Cosm", .timeLimit(.minutes(5)))
struct ArticleTests {
    private let start = Timestamp(microseconds: 1_357_000_000_000_000)

    private func print(_ items: Any...) {}

    @Test("sample of the article on Cosm: first steps")
    func overview() async throws {
        let key = Secret("key")
        _ = key
        let transport = MockTransport()
        transport.on(.post, "/v2/feeds.json") { _ in created("http://cosm.test/v2/feeds/504") }
        transport.on(.post, "/v2/feeds/504/datastreams/temp/datapoints.json") { _ in .empty(status: 200) }
        transport.on(.get, "/v2/feeds/504/datastreams/temp.json") { _ in
            .json(#"{"datapoints":[{"at":"2013-01-01T14:14:55Z","value":"20.5"}]}"#)
        }
        func CosmClient(apiKey: Secret, baseURL: URL) throws -> Cosm.CosmClient { try makeAPI(transport, key: apiKey) }
        let server = URL(fileURLWithPath: "/")
        // Each request of a history covers six hours.
        let start = Timestamp.now.adding(.days(-2))
        // sample
        let cosm = try CosmClient(apiKey: key, baseURL: server)
        let id = try await cosm.createFeed(Feed(title: "Shed", datastreams: [Datastream(id: "temp")]))
        try await cosm.storeDatapoint(Datapoint(value: 20.5), of: "temp", in: id)
        for try await point in cosm.history(of: "temp", in: id, from: start, every: .everyPoint) {
            print(point.at?.description ?? "", point.value?.double ?? .nan)
        }
        // end of sample
        #expect(id == 504)
    }

    @Test("sample of the article on Cosm: one document in two formats")
    func formats() throws {
        let at = Timestamp("2013-02-01T09:00:02Z")
        let shed = Feed(title: "Shed", datastreams: [Datastream(id: "temp", currentValue: 20.5, at: at)])
        let document = try shed.encoded(as: .xml).data
        // sample
        let feed = try CosmFormat.xml.decode(Feed.self, from: document)
        let csv = try feed.encoded(as: .csv)
        print(String(decoding: csv.data, as: UTF8.self))  // temp,2013-02-01T09:00:02.000000Z,20.5
        print(csv.losses.map(\.path))  // ["title"]
        // end of sample
        #expect(csv.data == Data("temp,2013-02-01T09:00:02.000000Z,20.5".utf8) && csv.losses.map(\.path) == ["title"])
    }

    @Test("sample of the article on Cosm: an error response")
    func refusal() throws {
        var said = ""
        func print(_ error: CosmDocumentError) { said = "\(error)" }
        // sample
        do {
            _ = try CosmFormat.csv.decode(Feed.self, from: Data("temp,soon,20.5\n".utf8))
        } catch let error as CosmDocumentError {
            print(error)  // line 1: "soon" is not a timestamp
        }
        // end of sample
        #expect(said == "line 1: \"soon\" is not a timestamp")
    }

    @Test("sample of the article on Cosm: unknown members")
    func unknown() throws {
        // sample
        let odd = try CosmFormat.json.decode(Feed.self, from: Data(#"{"id": 504, "colour": "red"}"#.utf8))
        print(odd.extra, odd.unknownMembers)  // {"colour":"red"} ["colour"]
        // end of sample
        #expect("\(odd.extra)" == #"{"colour":"red"}"# && odd.unknownMembers == ["colour"])
    }

    @Test("sample of the article on Cosm: points that arrive")
    func rows() throws {
        // sample
        var rows = DatapointRows()
        var points = try rows.append(Data("2013-02-01T09:00:02Z,20.5\n2013-02-".utf8))
        points += try rows.append(Data("01T09:00:03Z,20.7".utf8))
        points += try rows.finish()
        // end of sample
        #expect(points.map(\.value) == ["20.5", "20.7"])
    }

    @Test("sample of the article on Cosm: histories")
    func histories() async throws {
        let transport = MockTransport { _ in .json(#"{"datapoints":[{"at":"2013-01-01T14:14:55Z","value":"20.5"}]}"#) }
        let cosm = try makeAPI(transport)
        let end = start.adding(.days(40))
        // sample
        let day = HistoryQuery(duration: .days(1), interval: .quarterHour, limit: 1000)
        let temp = try await cosm.datastream("temp", in: 504, options: ReadOptions(history: day))
        print(temp.datapoints?.count ?? 0)
        // end of sample
        #expect(temp.datapoints?.count == 1)
        // sample
        var highest = -Double.infinity
        for try await point in cosm.history(of: "temp", in: 504, from: start, to: end, every: .hour) {
            highest = max(highest, point.value?.double ?? highest)
        }
        // end of sample
        #expect(highest == 20.5)
    }

    @Test("sample of the article on Cosm: a query that breaks a rule")
    func rule() throws {
        var said = ""
        func print(_ item: Any) { said = "\(item)" }
        // sample
        do {
            try HistoryQuery(duration: .days(7), interval: .everyPoint).validate()
        } catch {
            print(error.message)  // the time range is longer than 6hours, the maximum for interval 0
        }
        // end of sample
        #expect(said == "the time range is longer than 6hours, the maximum for interval 0")
    }
}
