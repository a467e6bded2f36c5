internal import HeliumServerKit

/// A stored trigger (Docs/Protocols/Cosm.md §8).
struct TriggerRecord: Hashable, Sendable {
    var id: Int
    /// The login of the owner.
    var owner: String
    var feed: Int
    var datastream: String
    /// The URL that notifications are sent to.
    var url: String
    var condition: TriggerCondition
    /// The time when the trigger last fired.
    var notified: ServerInstant?
    /// Whether the current silence was already reported, for ``TriggerCondition/Kind/frozen``.
    var isSpent = false
    var author = TriggerAuthor()

    /// The target of an access to the trigger.
    var target: AccessTarget { .trigger(id: id, owner: owner, feed: feed, datastream: datastream) }
}

/// The key that last wrote a trigger, and where it was used. A trigger sends what this key may still read.
struct TriggerAuthor: Hashable, Sendable {
    /// The key; `nil` for a trigger that an earlier version stored. Such a trigger sends only public feeds, until a key
    /// changes it.
    var key: String?
    var address: String?
    var referer: String?
}

/// The condition of a trigger.
struct TriggerCondition: Hashable, Sendable {
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case gt, gte, lt, lte, eq, change, frozen, live
    }

    var kind: Kind
    /// The threshold as a text (`"15.0"`); `nil` for kinds without one.
    var threshold: String?

    /// Returns whether an update meets the condition. `wasFrozen` is `true` if the datastream was silent for 15 minutes
    /// before.
    func isMet(by value: String, after previous: String?, wasFrozen: Bool) -> Bool {
        switch kind {
        case .change: return previous != nil && previous != value
        case .live: return wasFrozen
        // It fires after a silence, not on an update.
        case .frozen: return false
        case .gt, .gte, .lt, .lte, .eq:
            // A comparison with a text that is not a number is never met.
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
    /// The documented minimum time between two notifications of a trigger, in seconds.
    static let spacingSeconds: Int64 = 5

    /// Returns whether that time has passed since the last notification. Setting the clock back does not suppress
    /// notifications.
    func mayFire(at now: ServerInstant) -> Bool {
        guard let notified, now >= notified else { return true }
        return now >= notified.adding(seconds: Self.spacingSeconds)
    }
}
