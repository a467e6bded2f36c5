internal import HeliumConcurrency
internal import Synchronization

/// A store for a client's session, with which a restarted process determines the outcome of its change sets
/// (Docs/Protocols/Jetstream.md §7 no 6).
///
/// The session is written before a change set is sent, and each reply is written before it is acknowledged. The next
/// client with the store resumes the session, sends what the server is missing, and reports each outcome as
/// ``SessionEvent/recovered(_:_:)``. Then it starts a new session for the state. Only one client may use a store at a
/// time.
public protocol SessionStore: Sendable {
    /// Returns the stored session; `nil` if there is none.
    func load() async throws -> StoredSession?

    /// Replaces the stored session; `nil` removes it. The session must be durable when the call returns.
    ///
    /// The call is not cancelled, and the client waits for it also when it is closed.
    func save(_ session: StoredSession?) async throws
}

/// A store in memory, for tests and for passing a session from one client of a process to the next.
public final class MemorySessionStore: SessionStore {
    private let session: Guarded<StoredSession?>

    /// Creates a store with a session. Default: `nil`.
    public init(_ session: StoredSession? = nil) { self.session = Guarded(session) }

    /// Returns the last saved session.
    public func load() async -> StoredSession? { session.withLock { $0 } }

    /// Replaces the session.
    public func save(_ session: StoredSession?) async { self.session.withLock { $0 = session } }
}
