public import HeliumCore

/// Opens the sockets of a ``JetstreamClient``.
public protocol JetstreamTransport: Sendable {
    /// Opens a socket.
    ///
    /// - Parameter token: The token of the session to resume; `nil` for a new session. It is a credential.
    /// - Throws: `HeliumError`. Those that are transient (`HeliumError.isTransient`) are followed by another attempt.
    func connect(token: Secret?) async throws -> any JetstreamSocket
}

/// An open socket that carries the frames of one connection.
public protocol JetstreamSocket: Sendable {
    /// Sends a text frame. Frames are sent in the order of the calls.
    func send(_ frame: String) async throws

    /// The next frame; `nil` when the socket is closed in order.
    ///
    /// - Throws: `HeliumError` for any other end; `CancellationError`, and no frame is lost.
    func receive() async throws -> String?

    /// Closes the socket and waits for its end, not longer than a few seconds.
    func close() async

    /// The close code and the reason; `nil` while the socket is open. A connection that broke has code 1006.
    var closure: JetstreamClosure? { get }

    /// While a frame arrives that is not complete: a value that changes with each part of it, such as the time of the last one.
    /// `nil` if there is none, or if the socket cannot tell. Default: `nil`.
    ///
    /// A client takes a server for dead if it hears nothing for 25 seconds. A large frame on a slow link may take longer than that:
    /// its parts are signs of life.
    var partialArrival: Duration? { get }
}

extension JetstreamSocket {
    /// `nil`: the socket cannot tell.
    public var partialArrival: Duration? { nil }
}

/// The close code and the reason with which a socket was closed.
public struct JetstreamClosure: Sendable, Hashable {
    /// The close code (RFC 6455 §7.4): 4096 and 4097 end the session.
    public var code: Int
    /// The peer's reason. With code 4096 it is an error object in JSON.
    public var reason: String

    /// A closure of these parts.
    public init(code: Int, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}
