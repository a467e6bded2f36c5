/// A request and its response on a stream.
///
/// ``HTTP2Session/receive(_:now:)``, ``HTTP2Session/write(into:upTo:)`` and ``HTTP2Session/end()`` call the methods. These
/// may call every method of the session except for those three.
package protocol HTTP2Exchange: AnyObject {
    /// Receives the lines of the response. It is always the same, and was reset by the caller.
    var head: HeadParser { get }

    /// Processes a part of the response. The last event is ``HTTP2Event/end``, ``HTTP2Event/fault(_:)`` or
    /// ``HTTP2Event/closed(_:)``. After ``HTTP2Session/cancel(_:)`` there are no more events.
    func received(_ event: HTTP2Event)

    /// Stores a part of the request's body at the beginning of `room`.
    func supplyBody(_ room: UnsafeMutableRawBufferPointer) -> BodySupply
}

/// A part of a response.
package enum HTTP2Event {
    /// The status line of an interim response.
    case interim
    /// The final status line.
    case status
    /// The final header section is complete.
    case head
    /// A part of the body. The memory is valid until the method returns.
    case body(UnsafeRawBufferPointer)
    /// The response is complete. The rest of the request's body is not sent.
    case end
    /// The response can't be accepted. The stream was reset.
    case fault(ResponseFault)
    /// The stream ended without a complete response.
    case closed(HTTP2End)
}

/// The reason why a stream ended without a complete response.
package enum HTTP2End: Hashable, Sendable {
    /// The server did not process the request (`REFUSED_STREAM`, RFC 9113 §8.7).
    case refused
    /// The server did not process the request: its stream is above the last one of GOAWAY, or nothing of it was
    /// written.
    case notProcessed
    /// The server requires HTTP/1.1 for the request (`HTTP_1_1_REQUIRED`).
    case http1Required
    /// The server reset the stream with this error code.
    case reset(UInt32)
    /// The source of the request's body failed, or had another number of bytes than was announced.
    case requestBody
    /// The connection ended. ``HTTP2Session/fault`` has the reason if the peer violated the protocol.
    case lost
}

/// A part of a request's body.
package enum BodySupply: Hashable, Sendable {
    /// This number of bytes was stored.
    case bytes(Int, isLast: Bool)
    /// There are no bytes yet. ``HTTP2Session/continueBody(of:)`` tells when there are.
    case nothing
    /// There are no more bytes.
    case end
    /// The source failed.
    case failed
}
