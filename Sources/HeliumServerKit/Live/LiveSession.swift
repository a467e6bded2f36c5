/// What one live client is served with, whatever its framing. Calls come one after the other.
package protocol LiveSession: Sendable {
    /// The connection is open; called once, before anything else.
    func opened(on client: LiveConnection) async

    /// One object has come. The next is read when this returns.
    func received(_ bytes: [UInt8], on client: LiveConnection) async

    /// The framing cannot be followed; the connection ends when what is sent here has left.
    func broken(_ reason: String, on client: LiveConnection)

    /// The connection has ended, by whatever cause.
    func closed(_ client: LiveConnection)
}

/// What comes over a live connection, whatever its framing.
enum LiveEvent: Hashable, Sendable {
    /// The bytes of one frame's object.
    case object([UInt8])
    /// Framing that cannot be followed; the reason is told, then the connection ends.
    case broken(String)
}
