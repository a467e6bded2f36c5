import HeliumCore

/// The protocol that a connection speaks. Used on the loop's thread.
protocol HTTPEngine: AnyObject {
    /// Whether a call that begins now can be sent on the connection.
    var isUsable: Bool { get }

    /// Sends a request. The connection has room for the call.
    func send(_ slot: TransferSlot)

    /// Whether nothing of a call's request was sent, nor will be if the call ends now.
    func isUnsent(_ slot: TransferSlot) -> Bool

    /// Ends a call that gets no response any more, because it was cancelled, is out of time, or failed.
    func cancel(_ slot: TransferSlot)

    /// Continues to send a body whose source had no bytes.
    func continueBody(of slot: TransferSlot)

    /// Sends a body that waited for the response 100.
    func sendWithoutContinue(_ slot: TransferSlot)

    /// Continues to receive a body whose consumer had paused.
    func continueReading(of slot: TransferSlot)

    /// Takes bytes that have arrived.
    func receive(_ bytes: UnsafeRawBufferPointer)

    /// Called after the bytes of one turn.
    func didReceive()

    /// Called when the system accepts more bytes.
    func didDrain()

    /// Called when the peer has ended its direction. The connection is ended afterwards.
    func peerEnded(isOrderly: Bool)

    /// Ends all calls, because the connection was lost.
    func connectionLost(_ failure: TransportFailure)
}
