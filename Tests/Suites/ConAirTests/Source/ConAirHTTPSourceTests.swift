import ConAir
import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Testing

@Suite("The source of the web service")
struct ConAirHTTPSourceTests {
    private let transport = MockTransport()

    private func source(
        _ url: String = "http://sensor.example/data/",
        _ transport: MockTransport? = nil
    ) throws -> ConAirHTTPSource {
        var options = ClientOptions()
        options.retry = .never
        return try ConAirHTTPSource(
            url: try #require(URL(string: url)),
            options: options,
            environment: ClientEnvironment(transport: transport ?? self.transport, clock: makeClock())
        )
    }

    private func answer(_ json: String, date: String? = nil) -> TransportResponse {
        .json(json, fields: date.map { [.date: $0] } ?? [:])
    }

    @Test(
        "the source requests a window in UTC, percent-encoded, with the step in milliseconds",
        arguments: [
            ("http://sensor.example/data/", "/data/"), ("http://sensor.example/a/data", "/a/data"),
            ("http://sensor.example", "/"),
        ]
    )
    func request(url: String, path: String) async throws {
        let transport = MockTransport(answers: [answer("[]")])
        let reply = try await source(url, transport).points(in: noon - 86_400..<noon, step: .seconds(120))
        #expect(reply.points.isEmpty && reply.serverTime == nil)
        let request = try #require(transport.requests.first)
        #expect(
            request.url.target
                == path + "?start=2012-12-10T12%3A00%3A00Z&step=120000&stop=2012-12-11T12%3A00%3A00Z"
        )
    }

    @Test("the source returns points, the number of skipped elements and the server's time")
    func reply() async throws {
        transport.on(.get, "/data/") { _ in
            answer(
                #"[{"ts":"2012-12-11 11:58:00 +0000","value":2},{},{"ts":"2012-12-11 11:56:00 +0000","temperature":1}]"#,
                date: "Tue, 11 Dec 2012 12:00:07 GMT"
            )
        }
        let reply = try await source().points(in: noon - 600..<noon, step: .seconds(120))
        #expect(reply.points == [SeriesPoint(time: noon - 240, value: 1), SeriesPoint(time: noon - 120, value: 2)])
        #expect(reply.skippedCount == 1 && reply.serverTime == noon + 7)
    }

    @Test("a reply to the source that is not an array is an error", arguments: [#"{"error":"busy"}"#, "<html>", ""])
    func noArray(body: String) async throws {
        transport.on(.get, "/data/") { _ in answer(body) }
        await #expect(throws: HeliumError.self) {
            try await source().points(in: noon - 600..<noon, step: .seconds(120))
        }
    }

    @Test("the source reads more than 5,000 steps in parts, oldest first, and keeps those before a failure")
    func parts() async throws {
        transport.on(.get, "/data/") { [transport] _ in
            transport.requests.count < 3
                ? answer(#"[{"ts":"2012-12-1\#(transport.requests.count) 00:00:00 +0000","value":1},{}]"#)
                : .empty(status: 500)
        }
        let window = noon - 12_000 * 120..<noon
        let error = await #expect(throws: ConAirError.self) {
            try await source().points(in: window, step: .seconds(120))
        }
        #expect(error?.kind == .incomplete)
        #expect(error?.received?.points.count == 2 && error?.received?.skippedCount == 2)
        #expect((error?.underlying as? HeliumError)?.status == 500)
        let starts = transport.requests.map { $0.url.target.dropFirst("/data/?start=".count).prefix(10) }
        #expect(starts == ["2012-11-24", "2012-12-01", "2012-12-08"])
    }

    @Test("the source throws the error of its first request, and sends nothing for an empty window")
    func failures() async throws {
        transport.on(.get, "/data/") { _ in .empty(status: 500) }
        await #expect(throws: HeliumError.self) {
            try await source().points(in: noon - 120..<noon, step: .seconds(120))
        }
        #expect(try await source().points(in: noon..<noon, step: .seconds(120)) == SeriesReply(points: []))
        #expect(transport.requests.count == 1)
    }

    @Test(
        "the source requests whole seconds only",
        arguments: [Duration.zero, .seconds(-1), .milliseconds(1500), .nanoseconds(1), .seconds(Int64.max)]
    )
    func steps(step: Duration) async throws {
        let error = await #expect(throws: ConAirError.self) {
            try await source().points(in: noon - 120..<noon, step: step)
        }
        #expect(error?.kind == .invalidStep)
        #expect(transport.requests.isEmpty)
    }
}
