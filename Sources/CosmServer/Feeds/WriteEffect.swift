/// What a write changed, for those who watch (§8, §14.3).
struct WriteEffect: Sendable {
    /// The feed whose document reads otherwise now; nil: none does.
    var feed: Int?
    /// The datastreams whose documents read otherwise now.
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

    /// Whether a silence that was told has ended, or the first began, so that its next end must be waited for.
    var revivesSilence = false

    var isEmpty: Bool { feed == nil && notifications.isEmpty && ended.isEmpty }
}
