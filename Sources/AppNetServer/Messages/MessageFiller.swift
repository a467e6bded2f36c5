internal import Foundation
internal import GRDB
internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// Stores messages for tests in a channel. The channel is read once and written once, for any number of messages.
struct MessageFiller {
    private let context: AppNetContext
    private var channel: AppNetChannel

    /// - Throws: `AppNetControl.FillingError` for an unknown channel or user.
    init(channel id: String, user name: String, state: AppNetState, database: Database) throws {
        let tables = AppNetTables(database: database)
        guard let channel = try Int64(id).flatMap({ try tables.channels.channel($0) }) else {
            throw AppNetControl.FillingError(description: "there is no channel \(id)")
        }
        guard let user = try tables.users.user(name: name) else {
            throw AppNetControl.FillingError(description: "there is no user \(name)")
        }
        self.channel = channel
        let now = state.now()
        let token = AppNetToken(
            id: 0,
            secret: "",
            user: user.id,
            client: state.store.credentials.clientID,
            scopes: .all,
            created: now
        )
        context = AppNetContext(
            request: AppNetRequest(
                method: .post,
                area: .api,
                segments: [],
                parameters: FormFields(),
                fields: [:],
                body: .none,
                address: "",
                root: state.root
            ),
            path: [:],
            caller: AppNetCaller(token: token),
            now: now,
            state: state,
            database: database
        )
    }

    /// Stores a message and returns its id.
    ///
    /// - Throws: ``AppNetFailure`` for a draft that a client could not create.
    mutating func add(_ draft: AppNetControl.MessageDraft) throws -> Int64 {
        let body: JSONValue = [
            "text": draft.text.map { .string($0) } ?? .null,
            "machine_only": .bool(draft.text == nil),
            "annotations": .array(draft.annotations),
        ]
        var message = try MessageWriter(context).message(body, in: channel)
        if let created = draft.created {
            guard let seconds = AppNetDate.seconds(created) else {
                throw AppNetFailure.badRequest("the creation date must be in the years 1 to 9999")
            }
            message.created = seconds
        }
        message = try context.tables.messages.insert(message, template: context.request.dialect.messageTemplate)
        try context.tables.attachments.note(message.annotations, of: .message, message.id)
        channel.messages += 1
        channel.recentMessage = message.id
        return message.id
    }

    /// Stores the channel's new counts. Does nothing if there are no messages.
    mutating func finish() throws {
        guard channel.recentMessage != nil else { return }
        channel.activity = try context.tables.channels.nextActivity()
        try context.tables.channels.updateActivity(channel)
    }
}
