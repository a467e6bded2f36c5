/// What comes over a live connection, whatever its framing.
enum LiveEvent: Hashable, Sendable {
    /// The bytes of one frame's object.
    case object([UInt8])
    /// Framing that cannot be followed; the reason is told, then the connection ends.
    case broken(String)
}

/// What goes over a live connection.
package enum LiveOutput: Sendable {
    case object([UInt8])
    /// The server ends the connection, over a WebSocket with this close code.
    case goodbye(UInt16)
}
