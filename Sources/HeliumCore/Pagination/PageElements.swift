/// The elements of all pages, one after the other.
///
/// The pages are ``Pages``, the pages of another client of this package, or any other asynchronous sequence. A page is
/// requested when the element after the last one of the page before it is requested.
///
/// An error of a page is thrown once, after the elements of the pages before it, and then the sequence has ended. A
/// cancelled task gets `CancellationError` in the same way, even if elements of the current page remain. Each iterator
/// begins an iteration of the pages.
public struct PageElements<Base: AsyncSequence & Sendable, Items: Sequence>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Items.Element

    /// The same sequence, page by page.
    public let pages: Base

    private let items: @Sendable (Base.Element) -> Items

    /// Creates the sequence of the elements of pages.
    ///
    /// - Parameters:
    ///   - pages: The pages.
    ///   - items: Returns the elements of a page, in the order in which they are delivered.
    public init(_ pages: Base, of items: @escaping @Sendable (Base.Element) -> Items) {
        self.pages = pages
        self.items = items
    }

    /// Creates an iterator, which requests the first page when its first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), items: items) }

    /// Iterates over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        /// The pages; `nil` once the sequence has ended.
        private var pages: Base.AsyncIterator?
        private let items: @Sendable (Base.Element) -> Items
        private var current: Items.Iterator?

        fileprivate init(pages: Base.AsyncIterator, items: @escaping @Sendable (Base.Element) -> Items) {
            self.pages = pages
            self.items = items
        }

        /// Returns the next element, or `nil` after the last element of the last page.
        ///
        /// - Throws: The error of a page, or `CancellationError` if the task was cancelled. The sequence has ended
        ///   after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Items.Element? {
            guard pages != nil else { return nil }
            do {
                try Task.checkCancellation()
                while true {
                    if let element = current?.next() { return element }
                    guard let page = try await pages?.next(isolation: actor) else { break }
                    current = items(page).makeIterator()
                }
                end()
                return nil
            } catch {
                end()
                throw error
            }
        }

        private mutating func end() {
            pages = nil
            current = nil
        }
    }
}

extension Pages {
    /// Returns a sequence of the elements that each page's value has at one position: `pages.elements(of: \.items)`.
    public func elements<Items: Sequence & SendableMetatype>(
        of items: @escaping @Sendable (Value) -> Items
    ) -> PageElements<Pages<Value>, Items> {
        PageElements(self) { items($0.value) }
    }
}

extension Pages where Value: Sequence {
    /// The elements of all pages, one after the other.
    public var elements: PageElements<Pages<Value>, Value> { PageElements(self) { $0.value } }
}
