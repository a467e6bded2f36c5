public import Foundation
public import HeliumJSON
internal import HeliumServerKit

extension AppNetControl {
    /// A message to be stored in a channel.
    public struct MessageDraft: Sendable {
        /// The text. If `nil`, the message is machine only and needs annotations.
        public var text: String?
        /// The annotations: objects with `type` and `value`.
        public var annotations: [JSONValue]
        /// The creation date, in the years 1 to 9999. If `nil`, the server's time is used.
        public var created: Date?

        /// Creates a draft.
        public init(text: String?, annotations: [JSONValue] = [], created: Date? = nil) {
            self.text = text
            self.annotations = annotations
            self.created = created
        }
    }

    /// The error thrown when a channel cannot be filled.
    public struct FillingError: Error, Hashable, CustomStringConvertible {
        /// The error message, which names the draft.
        public let description: String
    }

    /// Adds many messages to a channel in one transaction.
    ///
    /// The messages are checked and stored as if a client had created them with the first app, but without requests.
    /// Streams do not get events.
    ///
    /// ```swift
    /// try await server.appNet.fillChannel("1", count: 450, by: "alice") { .init(text: "Message \($0)") }
    /// ```
    ///
    /// - Parameters:
    ///   - channel: The id of the channel.
    ///   - count: The number of messages. A negative number counts as 0.
    ///   - user: The user name of the author, who does not have to be a writer.
    ///   - draft: Returns the message for a number, which starts with 0.
    /// - Returns: The ids of the messages, in their order.
    /// - Throws: ``FillingError`` for an unknown channel or user, or for an invalid draft; the store's error. Nothing
    ///   is stored in these cases.
    @discardableResult
    public func fillChannel(
        _ channel: String,
        count: Int,
        by user: String,
        _ draft: @escaping @Sendable (Int) -> MessageDraft
    ) async throws -> [String] {
        try await state.store.write { [state] database in
            var filler = try MessageFiller(channel: channel, user: user, state: state, database: database)
            var ids: [String] = []
            for number in 0..<max(0, count) {
                do {
                    ids.append(String(try filler.add(draft(number))))
                } catch let failure as AppNetFailure {
                    throw FillingError(description: "message \(number): \(failure.message)")
                }
            }
            try filler.finish()
            return ids
        } publish: { _, _ in
        }
    }
}
