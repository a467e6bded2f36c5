/// News of a client's session.
public enum SessionNews: Sendable {
    /// There is a new session.
    case established
    /// The session goes on with a new socket.
    case resumed
    /// The session can't be resumed. Another follows unless the client ends.
    case lost(JetstreamError)
    /// The number of fetches and change sets that wait for the server's reply. Comes with each request and each reply.
    case waitingReplies(Int)
    /// A change set that an earlier process had sent is settled (Docs/Protocols/Jetstream.md §7 no 6).
    case recovered(StoredChanges, Result<[FragmentReply], JetstreamError>)
}
