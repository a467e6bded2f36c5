/// A list of the service's, in pages. Making one sends nothing.
///
/// ```swift
/// let list = client.messages.list(in: channel)
/// let newest = try await list.page()
/// print(newest.elements.count, newest.hasMore)
/// for try await message in list { print(message.text ?? "") }  // all, newest first
/// for try await message in list.after(.lastRead) { print(message.text ?? "") }  // what is unread, oldest first
/// ```
///
/// Going through it, each item comes once, in the list's order: items that arrive meanwhile shift nothing. Backwards,
/// what arrives after the first page is not part of it: go on with ``after(_:pageSize:)`` from the first page's
/// ``ResponseMeta/maxID``.
public struct PagedList<Element: Sendable>: Sendable {
    let fetch: @Sendable (PageBounds, StreamSubscriptionParameters?) async throws -> Page<Element>

    /// The most pages that one iteration asks for; more fail it. Default: 10,000.
    public var maximumPages = 10_000

    init(
        fetch: @escaping @Sendable (PageBounds, StreamSubscriptionParameters?) async throws -> Page<Element>
    ) {
        self.fetch = fetch
    }

    /// One page.
    ///
    /// - Parameters:
    ///   - bounds: Which. Default: the newest 20 items.
    ///   - subscription: The user stream to subscribe to the list, where that is possible (§2.14). Default: none.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func page(
        _ bounds: PageBounds = PageBounds(),
        subscription: StreamSubscriptionParameters? = nil
    ) async throws -> Page<Element> {
        try await fetch(bounds, subscription)
    }

    /// The items older than a position, newest first.
    ///
    /// - Parameters:
    ///   - position: Where to begin. Default: at the newest.
    ///   - end: Where to end: only items newer than that come. Default: at the oldest.
    ///   - pageSize: How many items each call asks for, 1 to 200. Default: 200.
    public func before(
        _ position: ListPosition? = nil,
        downTo end: ListPosition? = nil,
        pageSize: Int = 200
    ) -> PagedItems<Element> {
        let bounds = PageBounds(since: end, before: position, count: pageSize)
        return PagedItems(pages: ListPages(list: self, direction: .backward, bounds: bounds))
    }

    /// The items newer than a position, oldest first, up to the newest.
    ///
    /// - Parameters:
    ///   - position: Where to begin. Default: before the oldest.
    ///   - pageSize: How many items each call asks for, 1 to 200. Default: 200.
    public func after(_ position: ListPosition? = nil, pageSize: Int = 200) -> PagedItems<Element> {
        let bounds = PageBounds(since: position, count: pageSize)
        return PagedItems(pages: ListPages(list: self, direction: .forward, bounds: bounds))
    }
}

extension PagedList: AsyncSequence {
    /// An iterator over all items, newest first.
    public func makeAsyncIterator() -> PagedItems<Element>.AsyncIterator { before().makeAsyncIterator() }
}

/// Subscribes a user stream to the list that a call answers (§2.14).
public struct StreamSubscriptionParameters: Hashable, Sendable {
    /// The stream's connection.
    public var connectionID: String

    /// A name for the subscription; an earlier one of that name ends. `nil` leaves it to the service.
    public var subscriptionID: String?

    /// A subscription.
    public init(connectionID: String, subscriptionID: String? = nil) {
        self.connectionID = connectionID
        self.subscriptionID = subscriptionID
    }
}
