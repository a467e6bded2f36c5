internal import AppNet
internal import HeliumCore
internal import HeliumJSON

/// Finds the actions to move to one of several channels that two devices created for one purpose at the same time
/// (Docs/Protocols/MessageBeast.md §5.1).
struct DuplicateActions: Sendable {
    let context: EngineContext

    /// The steps that move the actions of the other channels to the channel in use.
    struct Move: Sendable {
        /// The targets that have an action in another channel but none in the one in use, oldest action first.
        var targets: [String] = []
        /// All action messages of the other channels. If they remained, an action that is removed later would return
        /// on the next new device.
        var sources: [(id: String, channel: String)] = []
    }

    /// Returns what is to be moved.
    ///
    /// - Parameter channels: The matching channels, with the channel in use first. Nothing is read unless there are
    ///   several action channels.
    func move(from channels: [AppNetChannel], _ wanted: WantedChannel) async throws -> Move {
        var move = Move()
        guard wanted.isAction, channels.count > 1, let used = channels[0].id else { return move }
        var seen = Set(try await actions(in: used).map { ByteText($0.target) })
        for channel in channels.dropFirst().compactMap(\.id) {
            for action in try await actions(in: channel) {
                move.sources.append((action.id, channel.text))
                if seen.insert(ByteText(action.target)).inserted { move.targets.append(action.target) }
            }
        }
        return move
    }

    /// Returns the action messages of a channel with their targets, oldest first.
    ///
    /// Actions that cannot be decoded are left out and reported. At worst one of them is applied again, and two actions
    /// on one message count as one.
    private func actions(in channel: AppNetChannel.ID) async throws -> [(id: String, target: String)] {
        var parameters = ChannelParameters.standard
        parameters.includesMessageAnnotations = true
        let list = context.client.messages.list(in: channel, parameters: parameters)
        var actions: [(id: String, target: String)] = []
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
            for message in page.messages where message.isDeleted != true {
                guard let id = message.id, let target = message.targetMessageID, target.number != nil else { continue }
                actions.append((id.text, target.text))
            }
            guard page.cursors.hasMore else { break }
            before = page.cursors.lowest
        }
        if !unreadable.isEmpty { context.events.send(.warning(.unreadable(unreadable, in: channel))) }
        return actions.reversed()
    }
}
