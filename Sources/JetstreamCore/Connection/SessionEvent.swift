/// A change of a client's session.
public enum SessionEvent: Sendable {
    /// A new session exists.
    case established
    /// The session continues on a new socket.
    case resumed
    /// The session cannot be resumed. Another one follows unless the client ends.
    case lost(JetstreamError)
    /// The number of fetches and change sets that wait for a reply. Sent with each request and each reply.
    case waitingReplies(Int)
    /// A change set that an earlier process had sent is settled (Docs/Protocols/Jetstream.md §7 no 6).
    case recovered(StoredChanges, Result<[FragmentReply], JetstreamError>)
}
