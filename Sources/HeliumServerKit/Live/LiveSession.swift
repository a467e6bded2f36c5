/// The service for one live client, independent of its framing. Calls are sequential.
package protocol LiveSession: Sendable {
    /// Called once when the connection is open, before all other calls.
    func opened(on client: LiveConnection) async

    /// Called for each object. The next object is read when this function returns.
    func received(_ bytes: [UInt8], on client: LiveConnection) async

    /// Called when the framing is invalid. The connection closes after the objects that are sent in this call.
    func broken(_ reason: String, on client: LiveConnection)

    /// Called when the connection has ended for any reason.
    func closed(_ client: LiveConnection)
}

/// An input of a live connection, independent of its framing.
enum LiveEvent: Hashable, Sendable {
    /// The object of one frame, as bytes.
    case object([UInt8])
    /// Invalid framing. The reason is sent to the client, then the connection closes.
    case broken(String)
}
