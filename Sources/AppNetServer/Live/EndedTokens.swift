internal import HeliumConcurrency
internal import Synchronization

/// The tokens that were revoked last.
///
/// A request for a stream reads its token before it opens the stream, and the token may be revoked in between. The
/// request therefore looks here after it has opened the stream.
final class EndedTokens: Sendable {
    /// The maximum number of tokens. No request takes as long as so many revocations.
    private static let maximum = 4096

    private let tokens = Guarded<[Int64]>([])

    func insert(_ ids: [Int64]) {
        tokens.withLock { tokens in
            tokens += ids
            if tokens.count > Self.maximum { tokens.removeFirst(tokens.count - Self.maximum / 2) }
        }
    }

    func contains(_ id: Int64) -> Bool { tokens.withLock { $0.contains(id) } }

    /// Removes a token that is valid again.
    func remove(_ id: Int64) { tokens.withLock { $0.removeAll { $0 == id } } }
}
