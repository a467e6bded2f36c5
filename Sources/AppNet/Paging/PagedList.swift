public import HeliumCore

/// A paginated list of the service. Creating one sends no request.
///
/// ```swift
/// let list = client.messages.list(in: channel)
/// let newest = try await list.page()
/// print(newest.elements.count, newest.hasMore)
/// for try await message in list { print(message.text ?? "") }  // all, newest first
/// for try await message in list.after(.lastRead) { print(message.text ?? "") }  // what is unread, oldest first
/// ```
///
/// Iterating delivers each item once, in the order of the list. Items that are added during the iteration do not shift
/// later pages. When iterating backward, items that are added after the first page are not delivered. To get them, call
/// ``after(_:pageSize:)`` with the first page's ``ResponseMeta/maxID``.
///
/// An item that cannot be decoded is left out, and does not end the iteration. ``Page/unreadable`` names it: iterate over
/// the pages (`list.before().pages`) if the list must be complete.
public struct PagedList<Element: Sendable>: Sendable {
    let fetch: @Sendable (PageBounds, StreamSubscriptionParameters?) async throws -> Page<Element>

    /// The maximum number of pages of one iteration, which fails if there are more. The default is 10,000.
    public var maximumPages = 10_000

    init(
        fetch: @escaping @Sendable (PageBounds, StreamSubscriptionParameters?) async throws -> Page<Element>
    ) {
        self.fetch = fetch
    }

    /// Fetches one page.
    ///
    /// - Parameter bounds: The bounds of the page. The default is the newest 20 items.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func page(_ bounds: PageBounds = PageBounds()) async throws -> Page<Element> {
        try await fetch(bounds, nil)
    }

    /// Fetches one page, and subscribes a user stream to the list if it is given and the list supports it
    /// (Docs/Protocols/AppNet.md §2.14).
    package func page(
        _ bounds: PageBounds = PageBounds(),
        subscription: StreamSubscriptionParameters?
    ) async throws -> Page<Element> {
        try await fetch(bounds, subscription)
    }

    /// Returns the items older than a position, newest first.
    ///
    /// - Parameters:
    ///   - position: The exclusive upper bound. The default is to begin with the newest item.
    ///   - end: The exclusive lower bound. The default is to end with the oldest item.
    ///   - pageSize: The number of items that each call requests, from 1 to 200. The default is 200.
    public func before(
        _ position: ListPosition? = nil,
        downTo end: ListPosition? = nil,
        pageSize: Int = 200
    ) -> PageElements<ListPages<Element>, [Element]> {
        let bounds = PageBounds(since: end, before: position, count: pageSize)
        return ListPages(list: self, direction: .backward, bounds: bounds).elements
    }

    /// Returns the items newer than a position, oldest first, up to the newest item.
    ///
    /// - Parameters:
    ///   - position: The exclusive lower bound. The default is to begin with the oldest item.
    ///   - pageSize: The number of items that each call requests, from 1 to 200. The default is 200.
    public func after(
        _ position: ListPosition? = nil,
        pageSize: Int = 200
    ) -> PageElements<ListPages<Element>, [Element]> {
        let bounds = PageBounds(since: position, count: pageSize)
        return ListPages(list: self, direction: .forward, bounds: bounds).elements
    }
}

extension PagedList: AsyncSequence {
    /// Returns an iterator over all items, newest first.
    public func makeAsyncIterator() -> PageElements<ListPages<Element>, [Element]>.Iterator {
        before().makeAsyncIterator()
    }
}

/// The parameters that subscribe a user stream to the list of a call (Docs/Protocols/AppNet.md §2.14).
package struct StreamSubscriptionParameters: Hashable, Sendable {
    /// The id of the stream's connection.
    package var connectionID: String

    /// The id of the subscription; `nil` to let the service choose one. An earlier subscription with the same id ends.
    package var subscriptionID: String?

    /// Creates subscription parameters.
    package init(connectionID: String, subscriptionID: String? = nil) {
        self.connectionID = connectionID
        self.subscriptionID = subscriptionID
    }
}
