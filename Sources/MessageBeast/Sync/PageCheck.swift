internal import AppNet
internal import HeliumCore

/// A page of a channel whose messages can be stored, and the positions to continue from.
///
/// A message that has no usable id, is of another channel, or repeats an id of the page is left out like one that cannot be
/// decoded. A page without any message that could be one of the channel is invalid, because a service that responds with
/// something else must not move a cursor.
struct CheckedPage: Sendable {
    /// The messages, newest first.
    let messages: [Message]
    /// The messages that were left out.
    let unreadable: UnreadableItems
    let cursors: PageCursors

    /// Checks a page of a channel.
    ///
    /// - Parameters:
    ///   - since: The lower limit. All ids of the page must be above it.
    ///   - before: The upper limit. All ids of the page must be below it.
    /// - Throws: ``MessageBeastError/Kind/protocolViolation``.
    init(_ page: Page<Message>, in channel: AppNetChannel.ID, since: Int64? = nil, before: Int64? = nil) throws {
        var messages: [Message] = []
        messages.reserveCapacity(page.elements.count)
        var unreadable = page.unreadable
        var ids: [Int64] = []
        var known: Set<Int64> = []
        for message in page.elements {
            guard let id = message.id.flatMap(PageCursors.number) else {
                unreadable.add(id: nil, reason: "the id of the message is not a decimal number")
                continue
            }
            guard message.channelID == nil || message.channelID == channel else {
                unreadable.add(id: message.id?.text, reason: "the message is of another channel")
                continue
            }
            // The first one counts, which is at the place that its id has in the order. A refresh by id fetches the message as
            // it is now.
            guard known.insert(id).inserted else {
                unreadable.add(id: message.id?.text, reason: "the page has the message twice: the first one is used")
                continue
            }
            if let previous = ids.last ?? before, id >= previous {
                throw PageCursors.violation("the ids of a page are not in descending order")
            }
            ids.append(id)
            messages.append(message)
        }
        // Only those that could not be decoded. Their channel is unknown.
        let others = page.unreadable.ids.compactMap { PageCursors.number(Message.ID($0)) }
        guard unreadable.isEmpty || !ids.isEmpty || !others.isEmpty else {
            throw PageCursors.violation("no message of a page has an id and is of the channel")
        }
        self.messages = messages
        self.unreadable = unreadable
        cursors = try PageCursors(of: page, ids, unreadable: others, since: since, before: before)
    }
}

/// The bounds of a checked page of messages.
struct PageCursors: Hashable, Sendable {
    /// The lowest and the highest id that the page covers; `nil` if the page is empty.
    let lowest: Int64?
    let highest: Int64?
    let hasMore: Bool

    /// - Parameters:
    ///   - ids: The ids of the messages, newest first.
    ///   - unreadable: The ids of the messages that could not be decoded.
    fileprivate init(
        of page: Page<Message>,
        _ ids: [Int64],
        unreadable: [Int64],
        since: Int64?,
        before: Int64?
    ) throws {
        hasMore = page.hasMore
        // The bounds of an empty page are those of its request on some services, or of no item of the channel.
        guard hasMore || !page.elements.isEmpty || !page.unreadable.isEmpty else {
            (lowest, highest) = (nil, nil)
            return
        }
        // The reported bounds of the page include messages that were omitted from it, or could not be decoded.
        let all = unreadable + [ids.first, ids.last].compactMap(\.self)
        lowest = try Self.bound(page.meta.minID) ?? all.min()
        highest = try Self.bound(page.meta.maxID) ?? all.max()
        guard let lowest, let highest else {
            if hasMore { throw Self.violation("a page has more items to follow, but no position to continue from") }
            return
        }
        guard lowest <= highest, ids.last.map({ lowest <= $0 }) ?? true, ids.first.map({ $0 <= highest }) ?? true else {
            throw Self.violation("the bounds of a page do not enclose its messages")
        }
        guard since.map({ lowest > $0 }) ?? true, before.map({ highest < $0 }) ?? true else {
            throw Self.violation("a page has messages outside of its bounds")
        }
    }

    /// Returns the number of an id, without leading zeros or signs; `nil` for other ids.
    static func number(_ id: Message.ID) -> Int64? { id.number.flatMap { $0 >= 0 ? Int64($0) : nil } }

    private static func bound(_ text: String?) throws -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = number(Message.ID(text)) else {
            throw violation("a bound of a page is not a decimal number")
        }
        return number
    }

    fileprivate static func violation(_ message: String) -> MessageBeastError {
        MessageBeastError(.protocolViolation, message)
    }
}
