public import Foundation
internal import HTTPTypes
internal import HeliumCore
package import HeliumCurl

/// A WebSocket connection, which is open when it is created (RFC 6455).
///
/// ```swift
/// let socket = try await WebSocket.connect(to: url)
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages {
///     print(message.text ?? "bytes")
/// }
/// ```
///
/// Messages arrive complete and in order. A slow consumer pauses the peer through back-pressure; no message is dropped,
/// and memory use stays limited. Pings are sent and answered automatically, and a silent peer ends the connection.
/// Releasing the socket and its messages closes it.
public final class WebSocket: Sendable {
    /// The subprotocol that the server chose; `nil` if it chose none.
    public let subprotocol: String?

    @usableFromInline let link: MessageLink
    private let closeLimit: Duration?
    /// The transport on whose loop the connection lives. It ends its connections when it is released.
    private let transport: CurlTransport

    init(link: MessageLink, subprotocol: String?, closeLimit: Duration?, transport: CurlTransport) {
        self.link = link
        self.transport = transport
        self.subprotocol = subprotocol
        self.closeLimit = closeLimit
    }

    deinit { link.abandon() }
}

// MARK: Connecting

extension WebSocket {
    /// Connects to a WebSocket server.
    ///
    /// - Parameters:
    ///   - url: The URL: `ws`, `wss`, or the equivalent `http` and `https`. Without user and fragment.
    ///   - options: The settings. Default: ``WebSocketOptions/init()``.
    /// - Throws: `CancellationError`; otherwise `HeliumError`: `invalidRequest` for an invalid URL or field,
    ///   `invalidConfiguration` for an invalid proxy or certificate authority, `hostNotFound`, `connectionFailed`,
    ///   `tlsFailed`, `timedOut`, `malformedResponse` for a response that violates the protocol, and
    ///   `unacceptableStatus` if the server or the proxy rejects the request. The error then contains status and
    ///   fields, and the beginning of a server's body.
    public static func connect(
        to url: URL,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocket {
        try await connect(to: url, options: options, on: SharedTransport.get())
    }

    /// Connects to a WebSocket server over a connection of a transport.
    ///
    /// - Parameter options: The settings. If their TLS settings are the default, those of the transport are used.
    /// - Throws: The errors of ``connect(to:options:)``, and `clientClosed` if the transport is shut down.
    package static func connect(
        to url: URL,
        options: WebSocketOptions,
        on transport: CurlTransport
    ) async throws -> WebSocket {
        let address: WebSocketAddress
        do throws(InvalidURL) {
            address = try WebSocketAddress(url)
        } catch {
            throw FailureMaker(url: "(no request)", secrets: []).error(.invalidRequest, .notSent, error.description)
        }
        var options = options
        if options.fields[.userAgent] == nil { options.fields[.userAgent] = "Helium/\(HeliumVersion.current)" }
        let plan = try DialPlan(address, options, on: transport)
        return try await plan.open(DialAttempt(), limits: .together(options.timeouts.connect)).socket
    }
}

// MARK: Using

extension WebSocket {
    /// The received messages. Each message is delivered once; several iterators share the messages.
    ///
    /// The sequence ends when either side closes normally, and fails otherwise; see ``Messages``.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message. Messages are sent in the order of the calls.
    ///
    /// Returns at once while few bytes are queued (``WebSocketOptions/Limits/unwaitedBytes``), and otherwise when the
    /// system has accepted the message. A later failure is reported by the messages and by the next call.
    ///
    /// A call that is cancelled while its message is queued removes the message. A call whose message is being written
    /// returns at once, and the message is still sent.
    ///
    /// - Throws: `CancellationError`; `HeliumError`: `clientClosed` after ``close(_:reason:)``, `ceilingExceeded` if
    ///   too many messages are queued (``WebSocketOptions/Limits/queuedMessages``), otherwise the failure that ended
    ///   the connection.
    @inlinable @inline(__always)
    public nonisolated(nonsending) func send(_ message: WebSocketMessage) async throws {
        if try link.sendAtOnce(message) { return }
        try await link.sendAndWait(message)
    }

    /// Closes the connection: sends the queued messages and a close frame, and waits for the peer's close frame. It
    /// waits at most for ``WebSocketOptions/Timeouts/close``, and not at all if the caller is cancelled.
    ///
    /// Messages that arrive afterwards are dropped. Messages that had arrived can still be read. Closing again has no
    /// further effect.
    ///
    /// - Parameters:
    ///   - code: The close code. Default: ``WebSocketCloseCode/normal``. A code that may not be sent is left out.
    ///   - reason: A text for the close frame, cut at 123 bytes.
    /// - Returns: The end of the connection.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async -> WebSocketClosure {
        await link.close(code, reason: reason, limit: closeLimit)
        return link.closure ?? .abnormal
    }

    /// The executor of the thread that serves the connection. A task that prefers it (`withTaskExecutorPreference`)
    /// sends and receives without a change of threads, which is most of the cost of a small message. Such a task must
    /// not block, because other connections use the same thread. `nil` only if there was never a connection.
    public var executor: (any TaskExecutor)? { link.executor }

    /// The end of the connection; `nil` while it is open.
    public var closure: WebSocketClosure? { link.closure }

    /// The uptime at which the last part of an incomplete message arrived; `nil` if there is none.
    package var partialArrival: Duration? {
        let liveness = link.liveness
        return liveness.incompleteSince == nil ? nil : liveness.lastArrival
    }

    /// Returns the next message, or `nil` after a normal end.
    ///
    /// - Throws: The errors of ``Messages``.
    nonisolated(nonsending) func receive() async throws -> WebSocketMessage? { try await link.receive() }
}

extension WebSocket: CustomStringConvertible {
    /// The state: `WebSocket(open)`, or the close code.
    public var description: String {
        "WebSocket(\(closure.map { "closed with \($0.code)" } ?? "open"))"
    }
}
