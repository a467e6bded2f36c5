public import Foundation
public import HeliumJSON
internal import HeliumServerKit

extension AppNetControl {
    /// A message that is put into a channel.
    public struct MessageDraft: Sendable {
        /// The text. `nil` makes the message machine only, which needs annotations.
        public var text: String?
        /// The annotations: objects with `type` and `value`.
        public var annotations: [JSONValue]
        /// The creation date. `nil`: the server's time.
        public var created: Date?

        /// Creates a draft.
        public init(text: String?, annotations: [JSONValue] = [], created: Date? = nil) {
            self.text = text
            self.annotations = annotations
            self.created = created
        }
    }

    /// The reason why a channel cannot be filled.
    public struct FillingError: Error, Hashable, CustomStringConvertible {
        /// One sentence, which names the draft.
        public let description: String
    }

    /// Adds many messages to a channel, in one transaction. They are checked and stored as if a client had created them with the
    /// first app, but take no requests, and streams get no events.
    ///
    /// ```swift
    /// try await server.appNet.fillChannel("1", count: 450, by: "alice") { .init(text: "Message \($0)") }
    /// ```
    ///
    /// - Parameters:
    ///   - channel: The channel's id.
    ///   - count: The number of messages.
    ///   - user: The user name of the author, who need not be a writer.
    ///   - draft: Makes a message from its number, which begins with 0.
    /// - Returns: The ids of the messages, in their order.
    /// - Throws: ``FillingError`` for an unknown channel or user and for a draft that is refused; the store's error. Nothing is
    ///   stored then.
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
