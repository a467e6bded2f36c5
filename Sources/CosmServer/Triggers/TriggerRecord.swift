internal import HeliumServerKit

/// A trigger as it is stored (§8).
struct TriggerRecord: Hashable, Sendable {
    var id: Int
    /// The login of its owner.
    var owner: String
    var feed: Int
    var datastream: String
    /// Where to POST.
    var url: String
    var condition: TriggerCondition
    /// When it fired last.
    var notified: ServerInstant?
    /// For ``TriggerCondition/Kind/frozen``: whether the present silence was told already.
    var isSpent = false
}

/// When a trigger fires.
struct TriggerCondition: Hashable, Sendable {
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case gt, gte, lt, lte, eq, change, frozen, live
    }

    var kind: Kind
    /// As text (`"15.0"`); nil where the kind needs none.
    var threshold: String?

    /// Whether an update makes it fire. `wasFrozen`: the stream was silent for 15 minutes before it.
    func isMet(by value: String, after previous: String?, wasFrozen: Bool) -> Bool {
        switch kind {
        case .change: return previous != nil && previous != value
        case .live: return wasFrozen
        // Silence, not an update, makes it fire.
        case .frozen: return false
        case .gt, .gte, .lt, .lte, .eq:
            // A comparison with what is no number never holds.
            guard let number = NumericText.number(value), let limit = threshold.flatMap(NumericText.number) else {
                return false
            }
            return Self.comparisons[kind]?(number, limit) ?? false
        }
    }

    private static let comparisons: [Kind: @Sendable (Double, Double) -> Bool] = [
        .gt: { $0 > $1 }, .gte: { $0 >= $1 }, .lt: { $0 < $1 }, .lte: { $0 <= $1 }, .eq: { $0 == $1 },
    ]
}

extension TriggerRecord {
    /// The documented shortest time between two notifications of one trigger.
    static let spacingSeconds: Int64 = 5

    /// Whether so much time has passed since the last notification. A clock that was set back does not silence it.
    func mayFire(at now: ServerInstant) -> Bool {
        guard let notified, now >= notified else { return true }
        return now >= notified.adding(seconds: Self.spacingSeconds)
    }
}
