public import HeliumCore

/// A transport that opens the sockets of a ``JetstreamClient``.
public protocol JetstreamTransport: Sendable {
    /// Opens a socket.
    ///
    /// - Parameter token: The token of the session to resume; `nil` for a new session. It is a credential.
    /// - Throws: `HeliumError`. After a transient error (`HeliumError.isTransient`), another attempt is made.
    func connect(token: Secret?) async throws -> any JetstreamSocket
}

/// An open socket that carries the frames of one connection.
public protocol JetstreamSocket: Sendable {
    /// Sends a text frame. Frames are sent in the order of the calls.
    func send(_ frame: String) async throws

    /// Returns the next frame; `nil` when the socket was closed normally.
    ///
    /// - Throws: `HeliumError` for any other end; `CancellationError`. No frame is lost after a cancellation.
    func receive() async throws -> String?

    /// Closes the socket and waits for its end, for a few seconds at most.
    func close() async

    /// The close code and the reason; `nil` while the socket is open. A broken connection has code 1006.
    var closure: JetstreamClosure? { get }

    /// A value that changes with each received part of an incomplete frame, for example the time of the last part.
    /// `nil` if no frame is incomplete, or if the socket does not report it. Default: `nil`.
    ///
    /// A client considers a server dead if it receives nothing for 25 seconds. A large frame on a slow link may take
    /// longer, so its parts count as activity.
    var partialArrival: Duration? { get }
}

extension JetstreamSocket {
    /// The default, `nil`: the socket does not report partial frames.
    public var partialArrival: Duration? { nil }
}

/// The close code and the reason with which a socket was closed.
public struct JetstreamClosure: Sendable, Hashable {
    /// The close code (RFC 6455 §7.4): 4096 and 4097 end the session.
    public var code: Int
    /// The reason from the peer. With code 4096 it is an error object in JSON.
    public var reason: String

    /// Creates a closure.
    public init(code: Int, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}
