/// The pages of a list, one after the other as they are asked for.
///
/// Iterating throws ``AppNetError``, and `CancellationError` once the task is cancelled; pages before were delivered.
public struct ListPages<Item: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>

    let list: PagedList<Item>
    let direction: ListWalk.Direction
    let bounds: PageBounds

    /// An iterator, which asks for nothing before it is asked.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Takes the pages one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let list: PagedList<Item>
        private var walk: ListWalk

        fileprivate init(_ pages: ListPages) {
            list = pages.list
            walk = ListWalk(pages.direction, from: pages.bounds, maximumPages: pages.list.maximumPages)
        }

        /// The next page; `nil` after the last.
        ///
        /// - Throws: ``AppNetError``, once, then the sequence is over; `CancellationError`.
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

/// The items of a list, page by page as they are asked for, each once.
///
/// Iterating throws ``AppNetError``, and `CancellationError` once the task is cancelled; items before were delivered.
public struct PagedItems<Element: Sendable>: AsyncSequence, Sendable {
    /// The same, page by page. Each page is newest first.
    public let pages: ListPages<Element>

    /// An iterator, which asks for nothing before it is asked.
    public func makeAsyncIterator() -> Iterator { Iterator(pages) }

    /// Takes the items one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: ListPages<Element>.Iterator
        private let isForward: Bool
        private var items: ArraySlice<Element> = []

        fileprivate init(_ pages: ListPages<Element>) {
            self.pages = pages.makeAsyncIterator()
            isForward = pages.direction == .forward
        }

        /// The next item; `nil` after the last.
        ///
        /// - Throws: ``AppNetError``, once, then the sequence is over; `CancellationError`.
        public mutating func next() async throws -> Element? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.elements[...]
            }
            return isForward ? items.popLast() : items.popFirst()
        }
    }
}
