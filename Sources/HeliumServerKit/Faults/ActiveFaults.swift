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
