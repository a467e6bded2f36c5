internal import HeliumConcurrency
internal import Synchronization

/// Switches faults on and off while the server runs. Nothing of it can be reached over the network.
public final class FaultControl: Sendable {
    /// Names a fault that was switched on, so that it can be removed.
    public struct Token: Hashable, Sendable {
        let number: Int
    }

    private struct Entry {
        let token: Token
        let fault: ServerFault
        var scope: FaultScope
    }

    private struct State {
        var lastNumber = 0
        var entries: [Entry] = []
    }

    private let state = Guarded(State())

    init() {}

    /// Switches `fault` on for the requests of `scope`.
    @discardableResult
    public func inject(_ fault: ServerFault, _ scope: FaultScope = .untilRemoved) -> Token {
        state.withLock { state in
            state.lastNumber += 1
            let token = Token(number: state.lastNumber)
            state.entries.append(Entry(token: token, fault: fault, scope: scope))
            return token
        }
    }

    /// Switches several faults on for the same requests.
    @discardableResult
    public func inject(_ faults: [ServerFault], _ scope: FaultScope = .untilRemoved) -> [Token] {
        faults.map { inject($0, scope) }
    }

    /// Switches a fault off. Nothing happens where it has ended already.
    public func remove(_ token: Token) { state.withLock { $0.entries.removeAll { $0.token == token } } }

    /// Switches all faults off.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// How many faults are switched on.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The faults that act on a request for `path`; those with a count are used up by it.
    package func take(method: String, path: some StringProtocol) -> ActiveFaults {
        state.withLock { state in
            guard !state.entries.isEmpty else { return ActiveFaults() }
            let (method, path) = (method.lowercased(), path.lowercased())
            var active = ActiveFaults()
            for index in state.entries.indices {
                let entry = state.entries[index]
                guard (entry.scope.requests ?? 1) > 0, entry.scope.includes(method, path) else { continue }
                active.effects.insert(entry.fault.effect)
                if let left = entry.scope.requests { state.entries[index].scope.requests = left - 1 }
            }
            state.entries.removeAll { ($0.scope.requests ?? 1) <= 0 }
            return active
        }
    }
}

/// The faults that act on one request.
package struct ActiveFaults: Sendable {
    package var effects: Set<ServerFault.Effect>

    package init(effects: Set<ServerFault.Effect> = []) { self.effects = effects }

    package func contains(_ effect: ServerFault.Effect) -> Bool { effects.contains(effect) }

    /// The sum of all clock offsets in milliseconds.
    package var clockOffset: Int64 {
        effects.reduce(0) { sum, effect in
            guard case .clockOffset(let offset) = effect else { return sum }
            let (seconds, attoseconds) = offset.components
            // A clock can be wrong by a few centuries, not by enough to overflow.
            let bounded = min(max(seconds, -1 << 33), 1 << 33)
            return sum + bounded * 1000 + attoseconds / 1_000_000_000_000_000
        }
    }

    /// The forced status; of several the highest.
    package var status: Int? {
        effects.compactMap { if case .status(let code) = $0 { code } else { nil } }.max()
    }

    /// The longest delay.
    package var delay: Duration? {
        effects.compactMap { if case .delay(let delay) = $0 { delay } else { nil } }.max()
    }
}
