/// The elements of all pages, one after the other.
public struct PageElements<Value: Sendable, Items: Sequence>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Items.Element

    private let pages: Pages<Value>
    private let items: @Sendable (Value) -> Items

    fileprivate init(_ pages: Pages<Value>, _ items: @escaping @Sendable (Value) -> Items) {
        self.pages = pages
        self.items = items
    }

    /// Creates an iterator, which fetches the first page when its first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), items: items) }

    /// Iterates over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<Value>.Iterator
        private let items: @Sendable (Value) -> Items
        private var current: Items.Iterator?

        fileprivate init(pages: Pages<Value>.Iterator, items: @escaping @Sendable (Value) -> Items) {
            self.pages = pages
            self.items = items
        }

        /// Returns the next element, or `nil` after the last element of the last page.
        ///
        /// - Throws: The error of a page, after the elements of the pages before it.
        public mutating func next() async throws -> Items.Element? {
            // The pages report the cancellation, once.
            if Task.isCancelled { current = nil }
            while true {
                if let element = current?.next() { return element }
                current = nil
                guard let page = try await pages.next() else { return nil }
                current = items(page.value).makeIterator()
            }
        }
    }
}

extension Pages {
    /// Returns a sequence of the elements that each page has at one position: `pages.elements(of: \.items)`.
    public func elements<Items: Sequence>(
        of items: @escaping @Sendable (Value) -> Items
    ) -> PageElements<Value, Items> {
        PageElements(self, items)
    }
}

extension Pages where Value: Sequence {
    /// The elements of all pages, one after the other.
    public var elements: PageElements<Value, Value> { PageElements(self) { $0 } }
}
