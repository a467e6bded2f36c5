import AppNet

/// The channels of the user that both devices use.
struct Channels: Sendable {
    /// The channel with messages that have actions.
    let journal: AppNetChannel.ID
    let notes: AppNetChannel.ID
    /// The channel of the actions on the messages of the journal.
    let actions: AppNetChannel.ID
    /// A second channel of the actions, which is not used; `nil` if there is none.
    var duplicate: AppNetChannel.ID?

    static let actionType = "com.example.favorite"

    /// The channels with texts.
    var content: [AppNetChannel.ID] { [journal, notes] }
    var all: [AppNetChannel.ID] { content + [actions] }
}
