/// The elements of all pages, one after another.
public struct PageElements<Value: Sendable, Items: Sequence>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Items.Element

    private let pages: Pages<Value>
    private let items: @Sendable (Value) -> Items

    fileprivate init(_ pages: Pages<Value>, _ items: @escaping @Sendable (Value) -> Items) {
        self.pages = pages
        self.items = items
    }

    /// An iterator, which fetches the first page when it is first asked.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), items: items) }

    /// Takes the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<Value>.Iterator
        private let items: @Sendable (Value) -> Items
        private var current: Items.Iterator?

        fileprivate init(pages: Pages<Value>.Iterator, items: @escaping @Sendable (Value) -> Items) {
            self.pages = pages
            self.items = items
        }

        /// The next element, or `nil` after the last page's last.
        ///
        /// - Throws: What the pages throw, after the elements of the pages before.
        public mutating func next() async throws -> Items.Element? {
            // The pages tell it, once.
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
    /// The elements that all pages have at one place, one after another: `pages.elements(of: \.items)`.
    public func elements<Items: Sequence>(
        of items: @escaping @Sendable (Value) -> Items
    ) -> PageElements<Value, Items> {
        PageElements(self, items)
    }
}

extension Pages where Value: Sequence {
    /// The elements of all pages, one after another.
    public var elements: PageElements<Value, Value> { PageElements(self) { $0 } }
}
