import Foundation
import HTTPTypes
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCore

@Suite("Metrics of calls and attempts")
struct CallMetricTests {
    private let metrics = RecordingMetrics()

    @Test("a successful call counts itself, its attempt and its bytes")
    func success() throws {
        let call = try ObservedCall(.post) { $0.metrics = metrics }
        call.start { $0.body = Data(count: 10) }
        call.clock.advance(by: .milliseconds(40))
        call.answer(201, body: Data(count: 300))
        call.observer.didEnd(status: 201, error: nil)
        #expect(
            metrics.counts == [
                "helium.calls{method=POST,outcome=success}": 1, "helium.attempts{method=POST,outcome=2xx}": 1,
                "helium.request.bytes{method=POST}": 10, "helium.response.bytes{method=POST}": 300,
            ]
        )
        #expect(metrics.times == ["helium.call.duration{method=POST,outcome=success}": [40_000_000]])
    }

    @Test("a failed call counts its kind, its retries and every attempt")
    func failure() throws {
        let call = try ObservedCall { $0.metrics = metrics }
        call.start(1)
        call.answer(401)
        call.observer.willRetry(.clockCorrected, pause: .zero)
        call.start(2)
        call.fail(.connectionLost, .maybeSent, number: 2)
        call.observer.didEnd(status: nil, error: call.error(.connectionLost, .maybeSent))
        #expect(
            metrics.counts == [
                "helium.calls{method=GET,outcome=failure}": 1, "helium.attempts{method=GET,outcome=4xx}": 1,
                "helium.attempts{method=GET,outcome=connectionLost}": 1, "helium.retries{reason=clockCorrected}": 1,
                "helium.failures{kind=connectionLost}": 1,
            ]
        )
    }

    @Test("a cancelled call is counted as such, and not as a failure")
    func cancelled() throws {
        let call = try ObservedCall { $0.metrics = metrics }
        call.observer.didEnd(status: nil, error: call.error(.cancelled))
        #expect(metrics.counts == ["helium.calls{method=GET,outcome=cancelled}": 1])
    }

    @Test("a call is counted once, however often its end is reported")
    func once() throws {
        let call = try ObservedCall { $0.metrics = metrics }
        for _ in 0..<3 { call.observer.didEnd(status: 200, error: nil) }
        #expect(metrics.counts == ["helium.calls{method=GET,outcome=success}": 1])
    }

    @Test("each phase of an attempt has a duration")
    func phases() throws {
        var timings = TransferTimings()
        timings.queue = .milliseconds(1)
        timings.nameLookup = .milliseconds(3)
        timings.connect = .milliseconds(6)
        timings.tlsHandshake = .milliseconds(10)
        timings.firstByte = .milliseconds(15)
        timings.total = .milliseconds(21)
        let call = try ObservedCall { $0.metrics = metrics }
        call.start()
        call.answer(timings: timings)
        let milliseconds = metrics.times.mapValues { $0.map { $0 / 1_000_000 } }
        let expected = [
            "queue": 1, "name_lookup": 2, "connect": 3, "tls": 4, "first_byte": 5, "body": 6, "total": 21,
        ].map { ("helium.attempt.duration{method=GET,phase=\($0)}", [Int64($1)]) }
        #expect(milliseconds == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test("the time of a stream after its head is not recorded")
    func stream() throws {
        var timings = TransferTimings()
        timings.firstByte = .milliseconds(15)
        timings.total = .milliseconds(15)
        let call = try ObservedCall { $0.metrics = metrics }
        call.start { $0.responseBody = .stream }
        call.answer(timings: timings)
        #expect(Array(metrics.times.keys) == ["helium.attempt.duration{method=GET,phase=first_byte}"])
    }

    @Test("a body that was not sent is not counted")
    func unsent() throws {
        let call = try ObservedCall(.put) { $0.metrics = metrics }
        call.start { $0.body = Data(count: 10) }
        call.fail(.connectionFailed, .notSent)
        #expect(metrics.counts["helium.request.bytes{method=PUT}"] == nil)
    }

    @Test("texts of callers and servers are not labels of metrics")
    func bounds() throws {
        for number in 0..<50 {
            let method = try #require(HTTPRequest.Method("M\(number)"))
            let call = try ObservedCall(method, "https://h\(number).example.com/\(number)") { $0.metrics = metrics }
            call.start()
            call.answer(600 + number)
            call.observer.willRetry(RetryReason(rawValue: "reason \(number)"), pause: .zero)
            call.observer.didEnd(status: nil, error: call.error(FailureKind(rawValue: "kind \(number)")))
        }
        #expect(
            metrics.counts == [
                "helium.calls{method=_OTHER,outcome=failure}": 50, "helium.attempts{method=_OTHER,outcome=other}": 50,
                "helium.retries{reason=other}": 50, "helium.failures{kind=other}": 50,
            ]
        )
    }

    @Test("prefix, server and additional labels are on every metric")
    func options() throws {
        let call = try ObservedCall(.get, "http://localhost:8080/") {
            $0.metrics = metrics
            $0.measuring.labelPrefix = "shop"
            $0.measuring.includesServer = true
            $0.measuring.dimensions = ["zone": "b", "app": "a"]
        }
        call.observer.didEnd(status: 200, error: nil)
        let labels = "method=GET,outcome=success,app=a,zone=b,server=localhost:8080"
        #expect(Set(metrics.made) == ["shop.calls{\(labels)}", "shop.call.duration{\(labels)}"])
    }

    @Test("an instrument is created once for many calls")
    func instruments() throws {
        var observability = Observability.none
        observability.metrics = metrics
        let url = try RequestURL("https://api.example.com/")
        let client = try #require(ClientObserver(observability, origin: url.origin, clock: TestClock()))
        for _ in 0..<100 { client.begin(.get, template: nil, url: url).didEnd(status: 200, error: nil) }
        #expect(metrics.made.count == 2)
        #expect(metrics.counts.values.reduce(0, +) == 100)
    }
}

@Suite("Names as labels")
struct BoundedNameTests {
    /// The names that a source file declares with `static let name = Self(rawValue: "name")`.
    private func declared(in file: String) throws -> Set<String> {
        let path = SharedDocuments.package.appendingPathComponent("Sources/HeliumCore/\(file)")
        let source = try String(contentsOf: path, encoding: .utf8)
        let names = source.matches(of: /static let \w+ = Self\(rawValue: "(\w+)"\)/).map { String($0.output.1) }
        return Set(names)
    }

    @Test("every kind of failure of this package is a label")
    func kinds() throws {
        #expect(try declared(in: "Errors/FailureKind.swift") == Set(BoundedName.kinds.map(\.rawValue)))
    }

    @Test("every retry reason of this package is a label")
    func reasons() throws {
        #expect(try declared(in: "Errors/RetryReason.swift") == Set(BoundedName.reasons.map(\.rawValue)))
    }

    @Test(
        "the label of a status is its class",
        arguments: [(100, "1xx"), (204, "2xx"), (399, "3xx"), (599, "5xx"), (0, "other")]
    )
    func statuses(status: Int, name: String) { #expect(BoundedName.of(status: status) == name) }
}

@Suite("Durations of phases")
struct PhaseDurationTests {
    @Test("a reused connection has no time for look-up and handshakes")
    func reused() {
        var timings = TransferTimings()
        timings.isConnectionReused = true
        timings.nameLookup = .milliseconds(2)
        timings.connect = .milliseconds(2)
        timings.tlsHandshake = .milliseconds(2)
        timings.firstByte = .milliseconds(9)
        timings.total = .milliseconds(10)
        let durations = PhaseDurations(timings)
        #expect(durations.nameLookup == nil && durations.connect == nil && durations.tls == nil)
        #expect(durations.firstByte == .milliseconds(7) && durations.body == .milliseconds(1))
    }

    @Test("a failed transfer has durations of the phases that it reached, none negative")
    func partial() {
        var timings = TransferTimings()
        timings.queue = .milliseconds(3)
        timings.nameLookup = .milliseconds(2)
        timings.total = .milliseconds(50)
        let durations = PhaseDurations(timings)
        #expect(durations.queue == .milliseconds(3) && durations.nameLookup == .zero)
        #expect(durations.connect == nil && durations.firstByte == nil && durations.body == nil)
        #expect(durations.total == .milliseconds(50))
    }

    @Test("durations in nanoseconds stay within 64 bits")
    func nanoseconds() {
        #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
        #expect(Duration.seconds(-1).clampedNanoseconds == 0)
        #expect(Duration.microseconds(12_345).millisecondText == "12.345")
    }
}
