public import AppNet

extension MessageManager {
    /// Returns the private channel of a type.
    ///
    /// A stored channel is returned without a request. Otherwise the user's channel on the service is used, or a new
    /// channel is created. A channel matches if the user owns it, is its only writer, and its writers cannot be
    /// changed. If several match, the lowest id is used. A new channel needs no full sync.
    ///
    /// - Parameters:
    ///   - type: A reverse domain name.
    ///   - parameters: The parameters for requesting its messages. Default: `nil`, which keeps the stored parameters. A
    ///     channel without stored parameters is read without deleted messages and with machine-only messages.
    /// - Throws: `AppNetError` if a request failed; nothing is created after a failed look-up. ``MessageBeastError``.
    nonisolated public func privateChannel(
        ofType type: String,
        parameters: GeneralParameters? = nil
    ) async throws -> StoredChannel {
        try await directory.channel(.content(type), parameters: parameters)
    }

    /// Returns the channel of the actions of a type on the messages of another channel.
    ///
    /// The channel is found or created as in ``privateChannel(ofType:parameters:)``.
    ///
    /// - Parameters:
    ///   - type: A name of the app's choice, for example `com.example.favorite`.
    ///   - target: The channel of the messages that the actions are on.
    /// - Throws: `AppNetError` if a request failed; nothing is created after a failed look-up. ``MessageBeastError``,
    ///   with the kind ``MessageBeastError/Kind/unsupportedByDialect`` for pnut.io, where every message has a text.
    nonisolated package func actionChannel(ofType type: String, target: AppNetChannel.ID) async throws -> StoredChannel
    {
        try context.checkActions()
        return try await directory.channel(.actions(type, target: target), parameters: nil)
    }

    /// Deactivates a channel on the service and removes it, with its messages, from the store.
    ///
    /// - Throws: `AppNetError` if the request failed; nothing is removed then. ``MessageBeastError``, with the kind
    ///   ``MessageBeastError/Kind/blocked`` if the channel has unsent messages or drafts.
    nonisolated public func deactivate(_ channel: AppNetChannel.ID) async throws {
        try await locks.lock(for: channel).withLock { try await directory.deactivate(channel) }
    }
}
