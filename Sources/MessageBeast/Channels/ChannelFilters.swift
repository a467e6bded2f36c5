internal import HeliumConcurrency
internal import Synchronization

/// The filters of an engine's channels, by channel type. They are functions, so they are not stored.
final class ChannelFilters: Sendable {
    private let filters = Guarded<[String: MessageFilter]>([:])

    /// Sets the filter of the channels of a type.
    func set(_ filter: @escaping MessageFilter, ofType type: String) { filters.withLock { $0[type] = filter } }

    /// Returns a filter that excludes the messages that the filter of a channel or another one excludes; `nil` if there
    /// is neither.
    func filter(of channel: ChannelRecord, and other: MessageFilter?) -> MessageFilter? {
        guard channel.kind == .private, let own = filters.withLock({ $0[channel.type] }) else { return other }
        guard let other else { return own }
        return { own($0) || other($0) }
    }
}
