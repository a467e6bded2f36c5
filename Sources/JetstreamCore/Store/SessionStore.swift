internal import HeliumConcurrency
internal import Synchronization

/// Keeps a client's session, so that a process which was killed learns what became of its change sets
/// (Docs/Protocols/Jetstream.md §7 no 6).
///
/// The session is written before a change set is sent, and each reply before it is acknowledged. The next client with the
/// store resumes the session, sends what the server lacks, reports each outcome as ``SessionNews/recovered(_:_:)``, and
/// then begins a new session for the state. One client uses a store at a time.
public protocol SessionStore: Sendable {
    /// The stored session; `nil` if there is none.
    func load() async throws -> StoredSession?

    /// Replaces the stored session; `nil` removes it. The session is safe when the call returns.
    func save(_ session: StoredSession?) async throws
}

/// A store in memory: for tests, and to carry a session from one client of a process to the next.
public final class MemorySessionStore: SessionStore {
    private let session: Guarded<StoredSession?>

    /// A store with a session. Default: none.
    public init(_ session: StoredSession? = nil) { self.session = Guarded(session) }

    /// The session that was saved last.
    public func load() async -> StoredSession? { session.withLock { $0 } }

    /// Replaces the session.
    public func save(_ session: StoredSession?) async { self.session.withLock { $0 = session } }
}
