import HeliumCore
import Synchronization

/// The results of calls to one server.
final class Tally: Sendable {
    struct Values {
        var calls = 0
        var answered = 0
        /// Responses that are not those to the call, or are not whole.
        var wrong: [String] = []
        /// Failures by kind, delivery state and message.
        var failures: [String: Int] = [:]
        var failed = 0
        /// Calls that failed in a way that the server causes and no client can repair.
        var excused = 0
        /// Calls that the transport could not send again itself, and that were made again.
        var repeated = 0
    }

    private let state = Mutex(Values())

    var values: Values { state.withLock { $0 } }

    func change(_ body: (inout Values) -> Void) {
        state.withLock { values in body(&values) }
    }

    func note(_ failure: TransportFailure, _ call: String) {
        change {
            $0.failures["\(failure.kind) \(failure.delivery) (\(call)): \(failure.message)", default: 0] += 1
        }
    }

    private static let excusableShare = 0.02

    /// Prints the results. Returns whether all calls got their own response, except for a share of excused ones: the
    /// few that a server happened to meet on an idle connection.
    func report(_ title: String) -> Bool {
        let values = values
        say(
            "\(title): \(values.calls) calls: \(values.answered) answered, \(values.failed) failed, "
                + "\(values.wrong.count) wrong, \(values.repeated) repeated, \(values.excused) excused"
        )
        for (failure, count) in values.failures.sorted(by: { $0.value > $1.value }).prefix(12) {
            say("\(title):   \(count) × \(failure)")
        }
        for wrong in values.wrong.prefix(3) { say("\(title):   WRONG: \(wrong)") }
        let isExcusable = Double(values.excused) <= Self.excusableShare * Double(values.calls)
        if !isExcusable { say("\(title):   more than \(Self.excusableShare * 100) % of the calls are excused") }
        return values.failed == 0 && isExcusable && values.wrong.isEmpty
            && values.answered + values.excused == values.calls
    }
}
