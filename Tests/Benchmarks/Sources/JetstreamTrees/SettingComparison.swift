import BenchmarkHarness
import JetstreamCore
import Observation

/// Compares the cost of setting a property, a hundred times a turn, with Swift's own observation.
enum SettingComparison {
    private static let sets = 100

    static func run(rounds: Int) throws -> [OperationResult] {
        let observable = ObservableNode()
        let observed = ObservableNode()
        let model = Node()
        let observedModel = Node()
        let turn = Turn()
        let reports = Counter()
        let observation = observedModel.observeChange(nil, on: turn) { reports.count += 1 }
        defer { observation.cancel() }
        var alternation = Alternation([
            ("@Observable, no observer", { turns($0) { observable.x = $0 } }),
            ("model, no observer", { turns($0) { model.x = $0 } }),
            (
                "@Observable, an observer a turn",
                {
                    var value = 0.0
                    for _ in 0..<$0 {
                        withObservationTracking {
                            _ = observed.x
                        } onChange: {
                            reports.count += 1
                        }
                        for _ in 0..<sets {
                            value += 1
                            observed.x = value
                        }
                    }
                    return UInt64(value)
                }
            ),
            (
                "model, a coalesced observer",
                {
                    var value = 0.0
                    for _ in 0..<$0 {
                        for _ in 0..<sets {
                            value += 1
                            observedModel.x = value
                        }
                        turn.flush()
                    }
                    return UInt64(value)
                }
            ),
        ])
        let results = try alternation.run(group: "jetstream-sets", bytes: 0, rounds: rounds)
        guard reports.count > 0 else { throw NothingReported() }
        return results
    }

    private static func turns(_ count: Int, _ set: (Double) -> Void) -> UInt64 {
        for number in 0..<count * sets { set(Double(number + 1)) }
        return UInt64(count)
    }
}

/// The number of calls of observers. Everything here runs on one thread.
final class Counter: @unchecked Sendable {
    var count = 0
}

/// No observer was called: what was measured was something else.
struct NothingReported: Error {}
