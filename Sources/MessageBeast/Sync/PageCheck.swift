internal import AppNet

/// The bounds of a checked page of messages.
struct PageCursors: Hashable, Sendable {
    /// The lowest and the highest id that the page covers; `nil` if the page is empty.
    var lowest: Int64?
    var highest: Int64?
    var hasMore: Bool

    /// Checks a page of a channel.
    ///
    /// - Parameters:
    ///   - since: The lower limit. All ids of the page must be above it.
    ///   - before: The upper limit. All ids of the page must be below it.
    /// - Throws: ``MessageBeastError/Kind/protocolViolation``.
    init(
        checking page: Page<Message>,
        in channel: AppNetChannel.ID,
        since: Int64? = nil,
        before: Int64? = nil
    ) throws {
        var previous = before
        for message in page.elements {
            guard let id = message.id.flatMap(Self.number) else {
                throw Self.violation("a message's id is not a decimal number")
            }
            guard message.channelID == nil || message.channelID == channel else {
                throw Self.violation("a message belongs to another channel")
            }
            if let previous, id >= previous { throw Self.violation("the ids of a page are not in descending order") }
            previous = id
        }
        hasMore = page.hasMore
        // The reported bounds of the page include messages that were omitted from it, or could not be decoded.
        let unreadable = page.unreadable.ids.compactMap { Self.number(Message.ID($0)) }
        let ids = unreadable + [page.elements.first, page.elements.last].compactMap { $0?.id.flatMap(Self.number) }
        lowest = try Self.bound(page.meta.minID) ?? ids.min()
        highest = try Self.bound(page.meta.maxID) ?? ids.max()
        try checkBounds(of: page, since: since, before: before)
    }

    private func checkBounds(of page: Page<Message>, since: Int64?, before: Int64?) throws {
        guard let lowest, let highest else {
            if hasMore { throw Self.violation("a page has more items to follow, but no position to continue from") }
            return
        }
        let ids = page.elements.compactMap { $0.id.flatMap(Self.number) }
        guard lowest <= highest, ids.last.map({ lowest <= $0 }) ?? true, ids.first.map({ $0 <= highest }) ?? true else {
            throw Self.violation("the bounds of a page do not enclose its messages")
        }
        guard since.map({ lowest > $0 }) ?? true, before.map({ highest < $0 }) ?? true else {
            throw Self.violation("a page has messages outside of its bounds")
        }
    }

    /// Returns the number of an id, without leading zeros or signs; `nil` for other ids.
    private static func number(_ id: Message.ID) -> Int64? { id.number.flatMap { $0 >= 0 ? Int64($0) : nil } }

    private static func bound(_ text: String?) throws -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = number(Message.ID(text)) else {
            throw violation("a bound of a page is not a decimal number")
        }
        return number
    }

    private static func violation(_ message: String) -> MessageBeastError {
        MessageBeastError(.protocolViolation, message)
    }
}
