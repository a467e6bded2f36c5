internal import AppNet
internal import HeliumCore
internal import HeliumJSON

/// Reads the actions of channels that two devices created for one purpose at the same time
/// (Docs/Protocols/MessageBeast.md §5.1).
struct DuplicateActions: Sendable {
    let context: EngineContext

    /// Returns the targets that have an action in another channel but none in the first, oldest action first.
    ///
    /// - Parameter channels: The matching channels, with the channel in use first. Nothing is read unless there are
    ///   several action channels.
    func missing(in channels: [AppNetChannel], _ wanted: WantedChannel) async throws -> [String] {
        guard wanted.isAction, channels.count > 1, let used = channels[0].id else { return [] }
        var seen = Set(try await targets(in: used).map { ByteText($0) })
        var missing: [String] = []
        for channel in channels.dropFirst().compactMap(\.id) {
            for target in try await targets(in: channel) where seen.insert(ByteText(target)).inserted {
                missing.append(target)
            }
        }
        return missing
    }

    /// Returns the ids of the messages that the actions of a channel are on, oldest action first.
    ///
    /// Actions that cannot be decoded are left out and reported. At worst one of them is applied again, and two actions
    /// on one message count as one.
    private func targets(in channel: AppNetChannel.ID) async throws -> [String] {
        var parameters = ChannelParameters.standard
        parameters.includesMessageAnnotations = true
        let list = context.client.messages.list(in: channel, parameters: parameters)
        var targets: [String] = []
        var unreadable = UnreadableItems()
        var before: Int64?
        while true {
            try Task.checkCancellation()
            let position = before.map { PageStore.Position.below($0) } ?? .newest
            let response = try await ReadAttempts(context: context)({
                try await list.page(position.bounds(pageSize: 200))
            })
            let page = try CheckedPage(response, in: channel, before: before)
            unreadable.add(page.unreadable)
            // An id that is not a number is not an id of the service.
            targets += page.messages.filter { $0.isDeleted != true }.compactMap(\.targetMessageID)
                .filter { $0.number != nil }.map(\.text)
            guard page.cursors.hasMore else { break }
            before = page.cursors.lowest
        }
        if !unreadable.isEmpty { context.events.send(.warning(.unreadable(unreadable, in: channel))) }
        return targets.reversed()
    }
}
