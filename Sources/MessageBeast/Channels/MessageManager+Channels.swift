public import AppNet

extension MessageManager {
    /// The private channel of a type: the stored one without a request, else the user's channel on the service, else a new
    /// one.
    ///
    /// Only channels count that the user owns and alone can write, and whose writers cannot be changed. The lowest id is used.
    /// A new channel needs no full sync.
    ///
    /// - Parameters:
    ///   - type: A reverse domain name.
    ///   - parameters: The parameters with which its messages are requested. Default: those that are stored; at first without
    ///     deleted messages, with those for machines.
    /// - Throws: `AppNetError` if a request failed; after a failed look-up, nothing is created. ``MessageBeastError``.
    nonisolated public func privateChannel(
        ofType type: String,
        parameters: GeneralParameters? = nil
    ) async throws -> StoredChannel {
        try await directory.channel(.content(type), parameters: parameters)
    }

    /// The channel of the actions of a type on the messages of another channel, as ``privateChannel(ofType:parameters:)``.
    ///
    /// - Parameters:
    ///   - type: A name of the app's choice, for example `com.example.favorite`.
    ///   - target: The channel of the messages that the actions are on.
    /// - Throws: `AppNetError` if a request failed; after a failed look-up, nothing is created. ``MessageBeastError``, of the
    ///   kind ``MessageBeastError/Kind/unsupportedByDialect`` for pnut.io, whose messages all have a text.
    nonisolated public func actionChannel(ofType type: String, target: AppNetChannel.ID) async throws -> StoredChannel {
        try context.checkActions()
        return try await directory.channel(.actions(type, target: target), parameters: nil)
    }

    /// Deactivates a channel on the service and removes it, with its messages, from the store.
    ///
    /// - Throws: `AppNetError` if the request failed; then nothing is removed. ``MessageBeastError``, of the kind
    ///   ``MessageBeastError/Kind/blocked`` if the channel has unsent messages or drafts.
    nonisolated public func deactivate(_ channel: AppNetChannel.ID) async throws {
        try await locks.lock(for: channel).withLock { try await directory.deactivate(channel) }
    }
}
