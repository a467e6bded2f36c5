internal import AppNet
internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// A message in its stored form, with everything that is derived from it alone. It is created before the transaction
/// that stores it.
struct IncomingMessage: Sendable {
    let id: String
    /// The number of the id.
    let sortKey: Int64
    let created: Milliseconds
    /// Whether the service sent a creation date.
    let hasCreationDate: Bool
    let isDeleted: Bool
    /// The message as JSON.
    let json: String
    let derivation: MessageDerivation
    /// The token of a message that an engine wrote.
    let token: String?
    let author: String?
    private let message: Message

    /// Returns the hash that identifies copies.
    func likeness(in channel: String) -> MessageLikeness {
        MessageLikeness(message, channel: channel, isSent: true)
    }

    /// Encodes a message of the service and derives its rows.
    ///
    /// - Parameter now: The creation date to use for a message without one.
    /// - Throws: ``MessageBeastError/Kind/protocolViolation`` if the id is not a decimal number.
    init(_ message: Message, configuration: MessageManagerConfiguration, now: Date) throws {
        try self.init(message, json: Self.text(of: message), configuration: configuration, now: now)
    }

    /// Creates the stored form of a message whose JSON was made by ``text(of:)``.
    init(_ message: Message, json: String, configuration: MessageManagerConfiguration, now: Date) throws {
        guard let id = message.id, let number = id.number, number >= 0 else {
            throw MessageBeastError(.protocolViolation, "a message's id is not a decimal number")
        }
        self.id = id.text
        self.json = json
        sortKey = Int64(number)
        let date = message.createdAt ?? now
        created = Milliseconds(date)
        hasCreationDate = message.createdAt != nil
        isDeleted = message.isDeleted == true
        token = message.token
        author = (message.user?.id ?? message.userID)?.text
        self.message = message
        derivation = MessageDerivation(message, createdAt: date, configuration: configuration)
    }

    /// The version of the column `json`.
    static let jsonVersion = 1

    /// Members in declaration order. Sorting would take time, and the order is the same each time.
    private static let encoder: HeliumJSONEncoder = {
        var encoder = HeliumJSONEncoder.bodies
        encoder.outputFormatting.remove(.sortedKeys)
        return encoder
    }()

    /// Returns the whole message as JSON, except for its position in a list.
    static func text(of message: Message) throws -> String {
        var message = message
        message.paginationID = nil
        return try encoder.encodeToString(message)
    }
}
