/// The pages that one sequence has visited, which prevents loops and endless sequences.
///
/// It keeps 16 bytes of each URL, whatever the URL's length.
package struct PageTrail: Sendable {
    /// The reason why a page is not fetched.
    package enum Refusal: Error, Hashable, Sendable {
        /// The page was fetched before.
        case loop
        /// The maximum number of pages has been reached.
        case tooMany
    }

    private struct Fingerprint: Hashable, Sendable {
        let halves: SIMD2<Int>

        init(_ url: RequestURL) {
            var first = Hasher()
            var second = Hasher()
            second.combine(1)
            first.combine(url)
            second.combine(url)
            halves = SIMD2(first.finalize(), second.finalize())
        }
    }

    private let maximum: Int
    private var visited: Set<Fingerprint> = []

    package init(maximum: Int) { self.maximum = maximum }

    /// Records that a page will be fetched.
    package mutating func visit(_ url: RequestURL) throws(Refusal) {
        let page = Fingerprint(url)
        guard !visited.contains(page) else { throw .loop }
        guard visited.count < maximum else { throw .tooMany }
        visited.insert(page)
    }
}
