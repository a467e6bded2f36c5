internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumCrypto
internal import HeliumJSON

/// A message of a legacy database.
struct LegacyMessage {
    let id: String
    let channel: String
    let date: Milliseconds
    let isUnsent: Bool
    let attempts: Int
    let message: Message

    /// Reads a message.
    ///
    /// - Parameter defaultDate: The date to use for a message without one.
    /// - Returns: `nil` for a row that cannot be read.
    init?(_ row: Row, defaultDate: Milliseconds) {
        guard let id = LegacyFile.text(row, 0), !id.isEmpty, let channel = LegacyFile.text(row, 1), !channel.isEmpty,
            let json = LegacyFile.text(row, 3),
            var message = try? HeliumJSONDecoder().decode(Message.self, from: json)
        else { return nil }
        // The text has a separate column. Only drafts have it in the document.
        if let text = LegacyFile.text(row, 4) { message.text = text }
        if message.text?.isEmpty == true { message.text = nil }
        self.id = id
        self.channel = channel
        date = LegacyFile.date(row, 2) ?? defaultDate
        isUnsent = LegacyFile.flag(row, 5)
        attempts = Int(min(max(LegacyFile.number(row, 6) ?? 0, 0), 1e6))
        self.message = message
    }

    static let columns = [
        ["message_message_id"], ["message_channel_id"], ["message_date"], ["message_json"], ["message_text"],
        ["message_unsent"], ["message_send_attempts"],
    ]

    static let draftColumns = [
        ["message_draft_id"], ["message_draft_channel_id"], ["message_draft_date"], ["message_draft_json"],
    ]

    /// Returns whether an id has the form of a server id.
    static func isServerID(_ id: String) -> Bool { (Message.ID(id).number ?? -1) >= 0 }

    /// The temporary id.
    ///
    /// The oldest versions used numbers, which may equal ids of the service. Such messages get a derived id that is the
    /// same in each import.
    var token: String {
        guard Self.isServerID(id) else { return id }
        return "legacy-" + SHA256.hash("\(channel) \(id) \(date.value)".utf8).hex
    }

    /// The message in the form in which the service returns it.
    var sent: Message {
        var message = message
        message.id = Message.ID(id)
        message.channelID = AppNetChannel.ID(channel)
        return message
    }

    /// Returns the message in the form in which this engine writes it, with its token.
    func unsent(of account: AppNetUser.ID) -> Message {
        var message = message
        message.id = nil
        message.channelID = nil
        message.user = nil
        message.userID = account
        message.createdAt = nil
        message.annotations?.removeAll { $0.type.hasSameBytes(as: MessageBeastNames.token) }
        let value = JSONValue.object(["token": .string(token)])
        message.annotations = (message.annotations ?? []) + [Annotation(type: MessageBeastNames.token, value: value)]
        return message
    }
}
