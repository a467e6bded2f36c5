internal import HeliumConcurrency
internal import Synchronization

/// The row ids of the tokens, or of the app streams, that ended last.
///
/// A request for a stream reads the row of its token or its stream before it opens the stream, and the row may be deleted
/// in between. The request therefore looks here when it opens the stream. Row ids are not used again.
final class EndedIDs: Sendable {
    private struct State {
        /// The ids, in the order of their ends.
        var order: [Int64] = []
        var ids: Set<Int64> = []
    }

    /// The default maximum number of ids. After the oldest were forgotten, as many remain as publications can wait for
    /// streams (``StreamBacklog``), and no request takes as long as so many deletions.
    static let maximum = 2 * StreamBacklog.maximumCost

    private let maximum: Int
    private let state = Guarded(State())

    init(maximum: Int = EndedIDs.maximum) { self.maximum = maximum }

    /// Adds ids.
    ///
    /// - Returns: Whether ids were forgotten. A publication on its way could then take them for valid ones, so it must not
    ///   continue.
    @discardableResult
    func insert(_ ended: [Int64]) -> Bool {
        state.withLock { state in
            for id in ended where state.ids.insert(id).inserted { state.order.append(id) }
            guard state.order.count > maximum else { return false }
            let surplus = state.order.count - maximum / 2
            state.ids.subtract(state.order.prefix(surplus))
            state.order.removeFirst(surplus)
            return true
        }
    }

    func contains(_ id: Int64) -> Bool { state.withLock { $0.ids.contains(id) } }

    /// Removes a token that is valid again.
    func remove(_ id: Int64) {
        state.withLock { state in
            if state.ids.remove(id) != nil { state.order.removeAll { $0 == id } }
        }
    }
}
