/// The effects of a write on observers (Docs/Protocols/Cosm.md §8, §14.3).
struct WriteEffect: Sendable {
    /// The id of the feed whose document changed; `nil` if none did.
    var feed: Int?
    /// The ids of the datastreams whose documents changed.
    var datastreams: [String] = []
    /// The triggers that fired.
    var notifications: [TriggerNotification] = []
    /// The subscriptions that have ended.
    var ended: [Ended] = []

    enum Ended: Hashable, Sendable {
        case feed(Int)
        case datastream(String, of: Int)
        case key(String)
    }

    /// Whether a reported silence has ended, or the first silence has begun, so that the timer has to be restarted.
    var revivesSilence = false

    /// Whether points of deleted datastreams remain to be deleted.
    var leavesPoints = false

    var isEmpty: Bool { feed == nil && notifications.isEmpty && ended.isEmpty }
}
