import Foundation
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import Logging
import ServerSupport
import TestSupport
import Testing

@testable import ConAirServer
@testable import HeliumServerKit

@Suite("Time series of ConAir over HTTP", .timeLimit(.minutes(5)))
struct TimeSeriesTests {
    private static let now: Int64 = 1_355_257_830_000
    private static let window = "/data/?start=2012-12-11T20:00:00Z&stop=2012-12-11T20:10:00Z&step=120000"

    private func withServer(
        _ change: (inout EmbeddedServerConfiguration) -> Void = { _ in },
        _ body: (RunningServer, Peer) async throws -> Void
    ) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.conAir.clock = .fixed(milliseconds: Self.now)
        change(&configuration)
        try await withEmbeddedServer(configuration) { try await body($0, Peer(running: $0)) }
    }

    private func values(_ peer: Peer, _ target: String = Self.window) async throws -> [String: Double] {
        let elements = try #require(try await peer.send("GET", target).json?.arrayValue)
        return Dictionary(
            try elements.map { (try #require($0["ts"]?.stringValue), try #require($0["value"]?.double)) }
        ) { first, _ in first }
    }

    private func post(_ peer: Peer, _ json: String) async throws -> RawAnswer {
        try await peer.send("POST", "/data/", fields: [("Content-Type", "application/json")], body: Array(json.utf8))
    }

    @Test("a window has the means of the sensor's readings, in order of time")
    func means() async throws {
        try await withServer { (_, peer) async throws in
            let answer = try await peer.send("GET", Self.window)
            #expect(answer.status == 200 && answer["date"] == "Tue, 11 Dec 2012 20:30:30 GMT")
            let elements = try #require(answer.json?.arrayValue)
            let start = Date(timeIntervalSince1970: 1_355_256_000)
            #expect(elements.map { $0["ts"]?.stringValue } == (0..<5).map { "2012-12-11 20:0\(2 * $0):00 +0000" })
            for (index, element) in elements.enumerated() {
                let minutes = [2 * index, 2 * index + 1].map { start.addingTimeInterval(Double($0) * 60) }
                let mean = minutes.map { ConAirSensor().value(at: $0) }.reduce(0, +) / 2
                // Foundation's reader does not give each number the nearest double.
                let value = try #require(element["value"]?.double)
                #expect(abs(value - mean) < 1e-12 && element["temperature"] == element["value"])
            }
        }
    }

    @Test("the path of a time series may end with a slash and have escapes", arguments: ["/data", "/data/"])
    func paths(_ path: String) async throws {
        try await withServer { (_, peer) async throws in
            let encoded = path + "?start=2012-12-11T20%3A00%3A00Z&stop=2012-12-11T20%3A10%3A00%2B00%3A00&step=120000"
            #expect(try await values(peer, encoded).count == 5)
            // A plus is a blank there.
            let plus = path + "?start=2012-12-11T20:00:00Z&stop=2012-12-11T20:10:00+00:00&step=120000"
            #expect(try await values(peer, plus).isEmpty)
            #expect(try await values(peer, path).isEmpty)
            #expect(try await peer.send("DELETE", path).status == 405)
        }
    }

    @Test(
        "a window that is too long or empty, and a step with a fraction of a second, have no values",
        arguments: [
            (
                "start=2012-12-11T00:00:00Z&stop=2012-12-11T02:46:41Z&step=1000",
                ["notice A window is too long steps=10001"]
            ),
            ("start=2012-12-11T20:00:00Z&stop=2012-12-11T20:00:00Z&step=120000", []),
            ("start=2012-12-11T20:10:00Z&stop=2012-12-11T20:00:00Z&step=120000", []),
            ("start=2012-12-11T20:00:00Z&stop=2012-12-11T20:10:00Z&step=1500", []),
        ] as [(String, [String])]
    )
    func refusals(query: String, lines: [String]) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.conAir.clock = .fixed(milliseconds: Self.now)
        let log = RecordingLog.Lines()
        let logger = Logger(label: "test") { _ in RecordingLog(lines: log) }
        try await withEmbeddedServer(configuration, logger: logger) { running in
            let answer = try await Peer(running: running).send("GET", "/data/?\(query)")
            #expect(answer.status == 200 && answer.json == .array([]))
        }
        #expect(log.all.filter { $0.contains("window") } == lines)
    }

    @Test("a window of ten thousand steps has values")
    func longestWindow() async throws {
        try await withServer { (_, peer) async throws in
            let query = "start=2012-12-11T00:00:00Z&stop=2012-12-11T02:46:40Z&step=1000"
            #expect(try await values(peer, "/data/?\(query)").count == 167)
        }
    }

    @Test("a stored reading replaces the one of the same instant, also the sensor's")
    func storing() async throws {
        try await withServer { (running, peer) async throws in
            let answer = try await post(
                peer,
                """
                [{"ts":"2012-12-11 20:00:00 +0000","value":1},{"ts":"2012-12-11T21:01:00+01:00","temperature":2},
                 {"ts":"2012-12-11T20:00:30.5Z","value":null,"temperature":6,"more":[]},
                 {"ts":"2012-12-11 20:00:00 +0000","value":4}]
                """
            )
            #expect(answer.status == 201 && answer.json == .object(["stored": .integer(4)]))
            #expect(try await values(peer)["2012-12-11 20:00:00 +0000"] == 4)
            #expect(try await running.conAir.readingCount() == 3)
        }
    }

    @Test(
        "a request with an invalid reading stores none of its readings",
        arguments: [
            (#"[{"ts":"2012-12-11 20:00:00 +0000","value":1},{"ts":"soon","value":1}]"#, 1),
            (#"[{"ts":"2012-12-11 20:00:00 +0000","value":1},{"value":1}]"#, 1),
            (#"[{"ts":"2012-12-11 20:00:00 +0000"}]"#, 0), (#"[{"ts":"2012-12-11 20:00:00 +0000","value":"1"}]"#, 0),
            (#"[{"ts":"2012-12-11 20:00:00 +0000","value":1e999}]"#, 0), ("[1]", 0), ("{}", nil), ("[", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func badElements(_ json: String, _ index: Int?) async throws {
        try await withServer { (running, peer) async throws in
            let answer = try await post(peer, json)
            #expect(answer.status == 400 && answer.json?["error"]?.stringValue?.isEmpty == false)
            #expect(answer.json?["index"]?.double == index.map { Double($0) })
            #expect(try await running.conAir.readingCount() == 0)
        }
    }

    @Test("a request with too many readings or bytes is refused")
    func ceilings() async throws {
        try await withServer { (running, peer) async throws in
            let element = #"{"ts":"2012-12-11 20:00:00 +0000","value":1}"#
            let many = "[" + Array(repeating: element, count: 10_001).joined(separator: ",") + "]"
            #expect(try await post(peer, many).status == 413)
            let long = "[" + element + String(repeating: " ", count: 1 << 20) + "]"
            #expect(try await post(peer, long).status == 413)
            #expect(try await running.conAir.readingCount() == 0)
        }
    }

    @Test("the earliest readings are deleted beyond the limit")
    func retention() async throws {
        try await withServer({ $0.conAir.maximumReadings = 3 }) { (running, _) async throws in
            let dates = (0..<5).map { Date(timeIntervalSince1970: 1_355_256_000 + Double($0)) }
            try await running.conAir.store(dates.shuffled().map { ConAirReading(date: $0, value: 1) })
            #expect(try await running.conAir.readingCount() == 3)
            let window = "/data/?start=2012-12-11T20:00:00Z&stop=2012-12-11T20:00:05Z&step=1000"
            running.conAir.setSensor(isOn: false)
            #expect(try await values(Peer(running: running), window).keys.min() == "2012-12-11 20:00:02 +0000")
        }
    }

    @Test(
        "the control takes any date, and one outside of the years 1 to 9999 counts as the nearest one",
        arguments: [-Double.infinity, -1e300, -62_135_596_801, 0, 253_402_300_800, 1e300, .infinity]
    )
    func dates(seconds: Double) async throws {
        try await withServer { (running, peer) async throws in
            let date = Date(timeIntervalSince1970: seconds)
            try await running.conAir.store([ConAirReading(date: date, value: 1)])
            #expect(try await running.conAir.readingCount() == 1)
            running.conAir.addGap(date..<date)
            running.conAir.addGap(Date(timeIntervalSince1970: -.infinity)..<date)
            running.conAir.addGap(date..<Date(timeIntervalSince1970: .infinity))
            #expect(ConAirSensor().value(at: date).isFinite)
            #expect(try await peer.send("GET", Self.window).status == 200)
        }
    }

    @Test("a date that is not a number is not stored")
    func noDate() async throws {
        try await withServer { (running, _) async throws in
            let date = Date(timeIntervalSince1970: .nan)
            await #expect(throws: ConAirInvalidReading(index: 0)) {
                try await running.conAir.store([ConAirReading(date: date, value: 1)])
            }
            #expect(try await running.conAir.readingCount() == 0)
            #expect(ConAirSensor().value(at: date) == ConAirSensor().value(at: .distantPast))
        }
    }

    @Test("the control does not store a reading that is not finite")
    func control() async throws {
        try await withServer { (running, _) async throws in
            await #expect(throws: ConAirInvalidReading(index: 1)) {
                try await running.conAir.store([
                    ConAirReading(date: .now, value: 1), ConAirReading(date: .now, value: .nan),
                ])
            }
            #expect(try await running.conAir.readingCount() == 0)
        }
    }

    @Test("a gap in the readings of a time series has no values")
    func gaps() async throws {
        try await withServer { (running, peer) async throws in
            _ = try await post(peer, #"[{"ts":"2012-12-11T20:03:30Z","value":1}]"#)
            let start = Date(timeIntervalSince1970: 1_355_256_120)
            running.conAir.addGap(start..<start.addingTimeInterval(240))
            #expect(
                try await values(peer).keys.sorted() == [0, 6, 8].map { "2012-12-11 20:0\($0):00 +0000" }
            )
            running.conAir.removeGaps()
            #expect(try await values(peer).count == 5)
        }
    }

    @Test("readings of a series without a sensor are there after a restart")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            for isFirst in [true, false] {
                try await withServer({
                    $0.conAir.sensor = nil
                    $0.store = folder.appendingPathComponent("server.sqlite").path
                }) { (_, peer) async throws in
                    if isFirst { _ = try await post(peer, #"[{"ts":"2012-12-11T20:03:30Z","value":1.5}]"#) }
                    #expect(try await values(peer) == ["2012-12-11 20:02:00 +0000": 1.5])
                }
            }
        }
    }

    @Test("a fault has the form of an error of the time series")
    func faults() async throws {
        try await withServer { (running, peer) async throws in
            running.faults.inject(.status(502), .next(1))
            let answer = try await peer.send("GET", Self.window)
            #expect(answer.status == 502 && answer.json?["error"] != nil)
            running.faults.inject(.clockOffset(.seconds(-3600)), .next(1))
            #expect(try await peer.send("GET", Self.window)["date"] == "Tue, 11 Dec 2012 19:30:30 GMT")
        }
    }

    @Test("the ready line has the URL of the time series")
    func readyLine() async throws {
        try await withServer { (running, peer) async throws in
            let line = try JSONValue(parsing: Array(running.ready.jsonLine().utf8))
            #expect(line["conair"] == .string("http://127.0.0.1:\(peer.port)/data/"))
            let read = try HeliumJSONDecoder().decode(ReadyInformation.self, from: line.data())
            #expect(read == running.ready && "\(read.conAir)" == "ConAir at http://127.0.0.1:\(peer.port)/data/")
        }
    }
}

extension TestJSON {
    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
