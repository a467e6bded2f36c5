/// The pages that one sequence has requested, which prevents loops and endless sequences.
///
/// A page is known by what it is requested with: its URL or its bounds. The trail keeps 16 bytes of it,
/// whatever its size.
package struct PageTrail<Page: Hashable & Sendable>: Sendable {
    private struct Fingerprint: Hashable, Sendable {
        let halves: SIMD2<Int>

        init(_ page: Page) {
            var first = Hasher()
            var second = Hasher()
            second.combine(1)
            first.combine(page)
            second.combine(page)
            halves = SIMD2(first.finalize(), second.finalize())
        }
    }

    private let maximum: Int
    private var visited: Set<Fingerprint> = []

    package init(maximum: Int) { self.maximum = maximum }

    /// Records that a page will be fetched.
    package mutating func visit(_ page: Page) throws(PageRefusal) {
        let page = Fingerprint(page)
        guard !visited.contains(page) else { throw .loop }
        guard visited.count < maximum else { throw .tooMany }
        visited.insert(page)
    }
}

/// The reason why a page is not fetched.
package enum PageRefusal: Error, Hashable, Sendable {
    /// The page was fetched before.
    case loop
    /// The maximum number of pages has been reached.
    case tooMany
}
