internal import HeliumConcurrency
internal import Synchronization

/// The passage of one incarnation of a system to everything outside of it: network, clock, database and files.
///
/// A kill shuts it. From then on every call through it throws, and nothing that the incarnation still does reaches anything.
/// What is outside of the gate, such as a database in memory, is left as it is for the next incarnation.
package final class Gate: Sendable {
    /// The incarnation has been killed.
    package struct Shut: Error {}

    private enum Plan {
        case passage(Int)
        case place(String, occurrence: Int)
    }

    private struct State {
        var isShut = false
        var plan: Plan?
        var passages = 0
        var refusals = 0
        /// The number of accesses to the database that fail from now on.
        var failures = 0
    }

    /// The number of calls after a kill at which an incarnation counts as one that ignores it.
    package static let maximumRefusals = 100_000

    private let name: String
    private let trace: SimulationTrace
    private let state = Guarded(State())
    private let end = Signal<Void>()

    /// - Parameter name: The incarnation's name in the trace.
    package init(_ name: String, _ trace: SimulationTrace) {
        self.name = name
        self.trace = trace
    }

    package var isShut: Bool { state.withLock { $0.isShut } }

    /// The number of calls that were let through.
    package var passages: Int { state.withLock { $0.passages } }

    /// Shuts the gate now.
    package func shut() { shut(at: "at rest") }

    /// Shuts the gate at the passage after `count` further ones.
    package func shut(after count: Int) { state.withLock { $0.plan = .passage($0.passages + count) } }

    /// Shuts the gate when a place is passed for the `occurrence`th time from now on.
    package func shut(atPlace place: String, occurrence: Int = 1) {
        state.withLock { $0.plan = .place(place, occurrence: occurrence) }
    }

    /// Calls off a kill that is planned.
    package func cancelPlan() { state.withLock { $0.plan = nil } }

    /// Fails the next accesses to the database, as while another process writes.
    package func failDatabase(_ count: Int) { state.withLock { $0.failures = count } }

    /// Whether this access to the database fails.
    func takeFailure() -> Bool {
        let fails = state.withLock { state in
            guard state.failures > 0 else { return false }
            state.failures -= 1
            return true
        }
        if fails {
            trace.count(Self.failure)
            trace.event("\(name): the database is busy")
        }
        return fails
    }

    /// The name of a failure of the database, as it is counted.
    package static let failure = "databaseBusy"

    /// Lets a call through.
    ///
    /// - Parameter place: Names the call in the trace, and for ``shut(atPlace:occurrence:)``.
    /// - Throws: ``Shut``, if the gate is shut or shuts now.
    package func pass(_ place: String) throws(Shut) {
        let (isShut, shutsNow) = state.withLock { state -> (Bool, Bool) in
            if state.isShut {
                state.refusals += 1
                precondition(state.refusals < Self.maximumRefusals, "\(name) goes on after its kill: \(place)")
                return (true, false)
            }
            switch state.plan {
            case .passage(let number): if state.passages >= number { return (false, true) }
            case .place(place, let occurrence):
                if occurrence <= 1 { return (false, true) }
                state.plan = .place(place, occurrence: occurrence - 1)
            case .place, nil: break
            }
            state.passages += 1
            return (false, false)
        }
        if shutsNow { shut(at: place) }
        if isShut || shutsNow { throw Shut() }
    }

    /// Runs `body` between two passages, such as a change of a file. A kill may come before it, or after it.
    package func through<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
        try pass(place)
        let result = Result { try body() }
        try pass("\(place) done")
        return try result.get()
    }

    /// Calls `action` when the gate shuts, or now if it is shut.
    ///
    /// - Returns: The waiter for ``removeAction(_:)``; `nil` if `action` was called.
    func onShut(_ action: @escaping @Sendable () -> Void) -> Signal<Void>.Waiter? { end.add { _ in action() } }

    func removeAction(_ waiter: Signal<Void>.Waiter?) { if let waiter { end.remove(waiter) } }

    private func shut(at place: String) {
        let isFirst = state.withLock { state in
            defer { state.isShut = true }
            return !state.isShut
        }
        guard isFirst else { return }
        trace.kill(name, place)
        end.settle()
    }
}
