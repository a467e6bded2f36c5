/// The pages that one sequence has been to: ends loops and walks without end.
///
/// It keeps 16 bytes of each URL, whatever a server makes of their length.
package struct PageTrail: Sendable {
    /// Why a page is not fetched.
    package enum Refusal: Error, Hashable, Sendable {
        /// It was fetched before.
        case loop
        /// There were as many pages as there may be.
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

    /// Notes that a page will be fetched.
    package mutating func visit(_ url: RequestURL) throws(Refusal) {
        let page = Fingerprint(url)
        guard !visited.contains(page) else { throw .loop }
        guard visited.count < maximum else { throw .tooMany }
        visited.insert(page)
    }
}
