import HeliumKit
import Synchronization

/// Every call that was started, and how it ended: each must end once.
final class Ledger: Sendable {
    struct Open { let name: String, since: ContinuousClock.Instant }

    private struct State {
        var next = 0
        var open: [Int: Open] = [:]
        var endings: [String: Int] = [:]
        var wrong: [String] = []
        var lastEnd = ContinuousClock.now
    }

    private let state = Mutex(State())

    func begin(_ name: String) -> Int {
        state.withLock { state in
            state.next += 1
            state.open[state.next] = Open(name: name, since: .now)
            return state.next
        }
    }

    func end(_ id: Int, _ ending: String) {
        state.withLock { state in
            if state.open.removeValue(forKey: id) == nil {
                state.wrong.append("call \(id) ended twice, with \(ending)")
            }
            state.endings[ending, default: 0] += 1
            state.lastEnd = .now
        }
    }

    func note(_ wrong: String) { state.withLock { if $0.wrong.count < 100 { $0.wrong.append(wrong) } } }

    var started: Int { state.withLock { $0.next } }
    var ended: Int { state.withLock { $0.endings.values.reduce(0, +) } }
    var openCount: Int { state.withLock { $0.open.count } }
    var endings: [(String, Int)] { state.withLock { $0.endings.sorted { $0.value > $1.value } } }
    var wrong: [String] { state.withLock { $0.wrong } }
    var lastEnd: ContinuousClock.Instant { state.withLock { $0.lastEnd } }

    /// The open calls, the oldest first.
    var open: [Open] { state.withLock { $0.open.values.sorted { $0.since < $1.since } } }
}

extension Ledger {
    /// Runs a call and notes its one end. Only ``HeliumError`` and `CancellationError` may come out of it.
    func run(_ name: String, _ call: () async throws -> Void) async {
        let id = begin(name)
        do {
            try await call()
            end(id, "answered")
        } catch is CancellationError {
            end(id, "cancelled")
        } catch let error as HeliumError {
            end(id, error.kind.rawValue)
        } catch {
            end(id, "other")
            note("\(name) failed with \(type(of: error)): \(error)")
        }
    }
}
