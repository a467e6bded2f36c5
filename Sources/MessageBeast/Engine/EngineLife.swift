internal import HeliumConcurrency
internal import Synchronization

/// The life of an engine.
///
/// Every operation belongs to a term, which ends when the engine is stopped or its store is wiped. An operation of an
/// earlier term writes nothing.
final class EngineLife: Sendable {
    /// The period between two wipes.
    struct Term: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var term = 0
        var isStopped = false
    }

    private let state = Guarded(State())

    /// Returns the current term.
    ///
    /// - Throws: ``MessageBeastError/Kind/stopped``.
    func term() throws -> Term {
        try state.withLock { state in
            if state.isStopped { throw Self.stopped }
            return Term(number: state.term)
        }
    }

    /// Checks that a term has not ended. Called inside transactions.
    ///
    /// - Throws: ``MessageBeastError/Kind/stopped`` or ``MessageBeastError/Kind/wiped``.
    func check(_ term: Term) throws {
        try state.withLock { state in
            if state.isStopped { throw Self.stopped }
            if state.term != term.number {
                throw MessageBeastError(.wiped, "the store was wiped while the operation ran")
            }
        }
    }

    /// Starts a new term.
    func renew() { state.withLock { $0.term += 1 } }

    func stop() { state.withLock { $0.isStopped = true } }

    private static var stopped: MessageBeastError { MessageBeastError(.stopped, "the engine was stopped") }
}
