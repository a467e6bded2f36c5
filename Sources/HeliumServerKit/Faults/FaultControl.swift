internal import HeliumConcurrency
internal import Synchronization

/// Turns faults on and off while the server runs. It cannot be reached over the network.
public final class FaultControl: Sendable {
    /// The identity of a fault that was turned on. Use it to remove the fault.
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

    /// Turns `fault` on for the requests of `scope`.
    @discardableResult
    public func inject(_ fault: ServerFault, _ scope: FaultScope = .untilRemoved) -> Token {
        state.withLock { state in
            state.lastNumber += 1
            let token = Token(number: state.lastNumber)
            state.entries.append(Entry(token: token, fault: fault, scope: scope))
            return token
        }
    }

    /// Turns several faults on for the same requests.
    @discardableResult
    public func inject(_ faults: [ServerFault], _ scope: FaultScope = .untilRemoved) -> [Token] {
        faults.map { inject($0, scope) }
    }

    /// Turns a fault off. Has no effect if the fault has already ended.
    public func remove(_ token: Token) { state.withLock { $0.entries.removeAll { $0.token == token } } }

    /// Turns all faults off.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// The number of active faults.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Returns the faults that apply to a request for `path`, and counts the request against the faults that have a
    /// request count.
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

/// The faults that apply to one request.
package struct ActiveFaults: Sendable {
    package var effects: Set<ServerFault.Effect>

    package init(effects: Set<ServerFault.Effect> = []) { self.effects = effects }

    package func contains(_ effect: ServerFault.Effect) -> Bool { effects.contains(effect) }

    /// The sum of all clock offsets in milliseconds.
    package var clockOffset: Int64 {
        effects.reduce(0) { sum, effect in
            guard case .clockOffset(let offset) = effect else { return sum }
            // The sum cannot overflow, and neither can the seconds of the components.
            let (seconds, attoseconds) = offset.withinCentury.components
            return sum + seconds * 1000 + attoseconds / 1_000_000_000_000_000
        }
    }

    /// The forced status; the highest if there are several.
    package var status: Int? {
        effects.compactMap { if case .status(let code) = $0 { code } else { nil } }.max()
    }

    /// The longest delay.
    package var delay: Duration? {
        effects.compactMap { if case .delay(let delay) = $0 { delay } else { nil } }.max()
    }
}
