public import HeliumCore

/// The pages of a list, fetched one by one as they are requested: the service's counterpart of HeliumCore's `Pages`.
///
/// It is a type of its own, because a list is continued by positions in both directions (``PageBounds``) and fails with
/// ``AppNetError``. A page's items are newest first whatever the direction. ``elements`` has all items in the order of
/// the iteration.
///
/// Iterating throws ``AppNetError``, or `CancellationError` if the task is cancelled. Earlier pages have been delivered
/// by then. Each iterator starts at the first page.
public struct ListPages<Item: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>

    let list: PagedList<Item>
    let direction: ListWalk.Direction
    let bounds: PageBounds

    /// Returns an iterator. It sends no request before the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        private let list: PagedList<Item>
        private var walk: ListWalk

        fileprivate init(_ pages: ListPages) {
            list = pages.list
            walk = ListWalk(pages.direction, from: pages.bounds, maximumPages: pages.list.maximumPages)
        }

        /// Returns the next page; `nil` after the last.
        ///
        /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. The sequence ends after an
        ///   error.
        public mutating func next() async throws -> Page<Item>? {
            do {
                guard let bounds = try walk.next() else { return nil }
                try Task.checkCancellation()
                let page = try await list.fetch(bounds, nil)
                walk.arrived(page.meta)
                return page
            } catch {
                walk.end()
                throw error
            }
        }
    }
}

extension ListPages {
    /// The items of all pages, each delivered once: newest first, or oldest first if the list is read from a position
    /// to newer items.
    public var elements: PageElements<ListPages<Item>, [Item]> {
        PageElements(self) { [direction] page in
            direction == .forward ? page.elements.reversed() : page.elements
        }
    }

    /// Returns a sequence of the values that a function makes of each page, one after the other.
    ///
    /// - Parameter items: Returns the values of a page. The items of a page are newest first in both directions.
    public func elements<Items: Sequence>(
        of items: @escaping @Sendable (Page<Item>) -> Items
    ) -> PageElements<ListPages<Item>, Items> {
        PageElements(self, of: items)
    }
}
