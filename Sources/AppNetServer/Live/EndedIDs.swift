internal import HeliumConcurrency
internal import Synchronization

/// The row ids of the tokens, or of the app streams, that ended last.
///
/// A request for a stream reads the row of its token or its stream before it opens the stream, and the row may be deleted
/// in between. The request therefore looks here when it opens the stream. Row ids are not used again.
final class EndedIDs: Sendable {
    /// The maximum number of ids. No request takes as long as so many deletions.
    private static let maximum = 4096

    private let ids = Guarded<[Int64]>([])

    func insert(_ ended: [Int64]) {
        ids.withLock { ids in
            ids += ended
            if ids.count > Self.maximum { ids.removeFirst(ids.count - Self.maximum / 2) }
        }
    }

    func contains(_ id: Int64) -> Bool { ids.withLock { $0.contains(id) } }

    /// Removes a token that is valid again.
    func remove(_ id: Int64) { ids.withLock { $0.removeAll { $0 == id } } }
}
