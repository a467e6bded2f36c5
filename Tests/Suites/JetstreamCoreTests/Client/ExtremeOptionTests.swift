import HeliumConcurrency
import Testing

@testable import JetstreamCore

@Suite("Extreme values of the options of Jetstream's client", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    @Test(
        "durations that are added to times are limited to a century",
        arguments: [
            Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min), .zero,
        ]
    )
    func durations(duration: Duration) {
        var options = JetstreamClientOptions()
        options.watchdog = duration
        options.replyLimit = duration
        let settings = options.settings
        #expect(settings.watchdog == duration.withinCentury && settings.replyLimit == duration.withinCentury)
        #expect(Scope(name: "a", changeInterval: duration).changeInterval == duration.withinCentury)
    }

    @Test(
        "a minimum sync interval is none for 0, less and no number, and at most a century",
        arguments: Dial.intervals.indices
    )
    func intervals(index: Int) {
        let (dial, scope) = (Dial(), Scope(name: "test"))
        dial.setScopeAndMakeRootModel(scope)
        dial[index] = 1
        #expect(scope.getAndClearSyncFragments(at: .seconds(5)).count == 1)
        dial[index] = 2
        let isHeld = Dial.intervals[index] > 1
        #expect(scope.getAndClearSyncFragments(at: .seconds(6)).isEmpty == isHeld)
        let seconds = min(Dial.intervals[index], Double(Duration.century.components.seconds))
        #expect(scope.nextDeadline == (isHeld ? .seconds(5) + .seconds(seconds) : nil))
        #expect(scope.getAndClearSyncFragments(at: .seconds(5) + .century).isEmpty != isHeld)
    }

    @Test("changes are collected at any time of the caller's clock", arguments: Dial.intervals.indices)
    func times(index: Int) {
        let (dial, scope) = (Dial(), Scope(name: "test"))
        dial.setScopeAndMakeRootModel(scope)
        let times: [Duration] = [
            Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max),
            Duration(attoseconds: .max), Duration(attoseconds: .min),
        ]
        for (number, time) in times.enumerated() {
            dial[index] = number + 1
            _ = scope.getAndClearSyncFragments(at: time)
        }
        _ = scope.getAndClearSyncFragments()
        #expect(scope.nextDeadline == nil)
    }
}

/// A model with a number for each extreme interval.
private final class Dial: ModelObject {
    static let intervals = [
        -Double.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 2, 1e10, 1e300,
        .greatestFiniteMagnitude, .infinity, .nan,
    ]

    private var numbers = intervals.map { _ in 0 }

    subscript(index: Int) -> Int {
        get {
            modelNode.access(self, \Dial[index])
            return numbers[index]
        }
        set {
            modelNode.mutate(self, \Dial[index], in: Dial.modelSchema, at: index, from: numbers[index], to: newValue) {
                numbers[index] = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Dial", of: Dial.self) {
        intervals.indices.map { index in
            .stored(
                "number\(index)",
                \Dial[index],
                get: { $0.numbers[index] },
                set: { $0[index] = $1 },
                attributes: .init(minSyncInterval: intervals[index])
            )
        }
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }
}
