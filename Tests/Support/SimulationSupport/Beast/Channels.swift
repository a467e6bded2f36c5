import AppNet

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
}
