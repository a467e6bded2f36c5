import AppNet
import MessageBeast

/// The channels of the user that both devices use.
struct Channels: Sendable {
    /// The channel with messages that have actions.
    let journal: AppNetChannel.ID
    let notes: AppNetChannel.ID
    /// The channel of the actions on the messages of the journal.
    let actions: AppNetChannel.ID

    /// The channels with texts.
    var content: [AppNetChannel.ID] { [journal, notes] }
    var all: [AppNetChannel.ID] { content + [actions] }

    /// Has an engine find the channels that its store does not have, or has no more.
    func find(by manager: MessageManager) async throws {
        let stored = Set(try await manager.channels().map(\.id))
        guard !stored.isSuperset(of: all) else { return }
        guard try await Self.make(by: manager).all == all else { throw Finding("there are other channels") }
    }

    /// The channels of the user, which are made if there are none.
    static func make(by manager: MessageManager) async throws -> Self {
        let journal = try await manager.privateChannel(ofType: "com.example.journal").id
        let notes = try await manager.privateChannel(ofType: "com.example.notes").id
        let actions = try await manager.actions.channel(ofType: "com.example.favorite", target: journal).id
        return Self(journal: journal, notes: notes, actions: actions)
    }
}
