/// The pages of a list, fetched one by one as they are requested.
///
/// Iterating throws ``AppNetError``, or `CancellationError` if the task is cancelled. Earlier pages have been delivered
/// by then.
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
                try walk.take(page.meta)
                return page
            } catch {
                walk.end()
                throw error
            }
        }
    }
}

/// The items of a list, fetched page by page as they are requested. Each item is delivered once.
///
/// Iterating throws ``AppNetError``, or `CancellationError` if the task is cancelled. Earlier items have been delivered
/// by then.
public struct PagedItems<Element: Sendable>: AsyncSequence, Sendable {
    /// The items as a sequence of pages. The items of each page are in descending order, newest first.
    public let pages: ListPages<Element>

    /// Returns an iterator. It sends no request before the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(pages) }

    /// An iterator over the items.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: ListPages<Element>.Iterator
        private let isForward: Bool
        private var items: ArraySlice<Element> = []

        fileprivate init(_ pages: ListPages<Element>) {
            self.pages = pages.makeAsyncIterator()
            isForward = pages.direction == .forward
        }

        /// Returns the next item; `nil` after the last.
        ///
        /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. The sequence ends after an
        ///   error.
        public mutating func next() async throws -> Element? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.elements[...]
            }
            return isForward ? items.popLast() : items.popFirst()
        }
    }
}
