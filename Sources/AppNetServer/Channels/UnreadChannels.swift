/// The caller's subscribed channels with unread messages (Docs/Protocols/AppNet.md §2.1).
struct UnreadChannels: RequestScoped {
    let context: AppNetContext

    /// Returns the number of channels of a type with unread messages.
    func count(_ type: String) throws -> Int {
        let renderer = context.renderer
        return try subscribed(type).count { try renderer.hasUnread($0) }
    }

    /// Sets the marker of each channel of a type to its latest message.
    func markRead(_ type: String) throws {
        for channel in try subscribed(type) {
            guard let recent = channel.recentMessage else { continue }
            try MarkerWriter(context).set(channel.marker, item: recent)
        }
    }

    private func subscribed(_ type: String) throws -> [AppNetChannel] {
        try tables.channels.subscribed(by: context.me(), type: type)
    }
}
