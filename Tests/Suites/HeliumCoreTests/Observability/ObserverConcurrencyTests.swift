import Foundation
import HTTPTypes
import HeliumTesting
import Logging
import Testing

@testable import HeliumCore

@Suite("Many calls under one observer", .timeLimit(.minutes(5)))
struct ObserverConcurrencyTests {
    @Test("concurrent calls share instruments, have separate spans, and are all counted")
    func sideBySide() async throws {
        let metrics = RecordingMetrics()
        let tracer = RecordingTracer()
        let (logger, lines) = RecordingLog.make(.debug)
        var observability = Observability.none
        observability.metrics = metrics
        observability.tracer = tracer
        observability.logger = logger
        let url = try RequestURL("https://api.example.com/")
        let client = try #require(ClientObserver(observability, origin: url.origin, clock: TestClock()))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let call = client.begin(.get, template: "/", url: url)
                        var request = TransportRequest(method: .get, url: url)
                        call.willStartAttempt(1, request: &request)
                        let record = AttemptRecord(
                            number: 1,
                            outcome: .answered(status: 200),
                            delivery: .answered,
                            duration: .zero
                        )
                        call.didEndAttempt(record, head: nil, timings: TransferTimings(), receivedBytes: 2)
                        call.didEnd(status: 200, error: nil)
                    }
                }
            }
        }
        #expect(metrics.counts["helium.calls{method=GET,outcome=success}"] == 400)
        #expect(metrics.counts["helium.response.bytes{method=GET}"] == 800)
        #expect(metrics.made.count == Set(metrics.made).count)
        #expect(tracer.spans.all.count == 800 && tracer.spans.all.allSatisfy { $0.ends.count == 1 })
        #expect(lines.all.count == 1200 && Set(lines.all.compactMap { $0.metadata["helium.call"] }).count == 400)
    }

    @Test("the end of a call that is reported by many tasks counts once")
    func oneEnd() async throws {
        let metrics = RecordingMetrics()
        let tracer = RecordingTracer()
        let call = try ObservedCall {
            $0.metrics = metrics
            $0.tracer = tracer
        }
        call.start()
        let observer = call.observer
        await withTaskGroup { group in
            for _ in 0..<16 { group.addTask { observer.didEnd(status: 200, error: nil) } }
        }
        #expect(metrics.counts == ["helium.calls{method=GET,outcome=success}": 1])
        #expect(tracer.spans.all.map(\.ends.count) == [1, 1])
    }
}
