public import Foundation
internal import HeliumCore
internal import NIOCore

/// A WebSocket, open from the moment it exists (RFC 6455).
///
/// ```swift
/// let socket = try await WebSocket.connect(to: url)
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages {
///     print(message.text ?? "bytes")
/// }
/// ```
///
/// Messages arrive whole and in their order. A consumer that is slow holds the peer back: nothing is dropped and nothing
/// grows. Pings are answered and sent by themselves, and a peer that falls silent ends the connection. Letting go of the
/// socket and of its messages closes it.
public final class WebSocket: Sendable {
    /// The subprotocol that the server chose; `nil` if it chose none.
    public let subprotocol: String?

    private let link: MessageLink
    private let closeLimit: Duration?

    private init(link: MessageLink, subprotocol: String?, closeLimit: Duration?) {
        self.link = link
        self.subprotocol = subprotocol
        self.closeLimit = closeLimit
    }

    deinit { link.abandon() }
}

// MARK: Connecting

extension WebSocket {
    /// Connects.
    ///
    /// - Parameters:
    ///   - url: Where to: `ws`, `wss`, or `http` and `https`, which mean the same. No user, no fragment.
    ///   - options: How. Default: ``WebSocketOptions/init()``.
    /// - Throws: `CancellationError`; otherwise `HeliumError`: `invalidRequest` for a URL or field that can't be used,
    ///   `invalidConfiguration` for a proxy or an authority that can't, `hostNotFound`, `connectionFailed`, `tlsFailed`,
    ///   `timedOut`, `malformedResponse` for an answer that breaks the protocol, and `unacceptableStatus` where server or
    ///   proxy refuse: the error has status, fields and the body's beginning.
    public static func connect(
        to url: URL,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocket {
        let address: WebSocketAddress
        let request: UpgradeRequest
        do throws(InvalidURL) {
            address = try WebSocketAddress(url)
            request = try UpgradeRequest(to: address, options: options)
        } catch {
            throw FailureMaker(url: "(no request)", secrets: []).error(.invalidRequest, .notSent, error.description)
        }
        let plan = try DialPlan(address, options)
        let failures = plan.dialer.failures
        let link = MessageLink(
            limits: LinkState.Limits(options.limits),
            clock: options.clock,
            failures: failures
        )
        let subprotocol = try await plan.dialer.upgrade(with: request, options: options, link: link)
        link.keepAlive(
            Keepalive(
                pingInterval: options.timeouts.pingInterval,
                silenceLimit: options.timeouts.silence,
                sendLimit: options.timeouts.send,
                messageLimit: options.timeouts.message
            )
        )
        return WebSocket(link: link, subprotocol: subprotocol, closeLimit: options.timeouts.close)
    }
}

// MARK: Using

extension WebSocket {
    /// What arrives, each message once: whoever iterates shares it with whoever else does.
    ///
    /// It ends when either side closes in order, and with a failure otherwise; see ``Messages``.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message. Messages are sent in the order of the calls.
    ///
    /// Returns at once while little waits to be written (``WebSocketOptions/Limits/unwaitedBytes``), and otherwise when the
    /// system has taken the message. What breaks afterwards is told by the messages, and by the next call.
    ///
    /// A call that is cancelled while its message waits for its turn takes it back. One whose message is being written
    /// returns at once, and the message goes out all the same.
    ///
    /// - Throws: `CancellationError`; `HeliumError`: `clientClosed` after ``close(_:reason:)``, `ceilingExceeded` where too
    ///   many wait (``WebSocketOptions/Limits/queuedMessages``), otherwise what ended the connection.
    public nonisolated(nonsending) func send(_ message: WebSocketMessage) async throws {
        try await link.send(message)
    }

    /// Closes: sends what is queued and then the goodbye, and waits for the peer's. More than the limit
    /// (``WebSocketOptions/Timeouts/close``) it does not wait; nor does a cancelled caller.
    ///
    /// What arrives from then on is dropped; what had arrived can still be taken. Closing again does nothing new.
    ///
    /// - Parameters:
    ///   - code: Why. Default: ``WebSocketCloseCode/normal``. A code that may not be sent is left out.
    ///   - reason: In words; cut at 123 bytes.
    /// - Returns: How the connection ended.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async -> WebSocketClosure {
        await link.close(code, reason: reason, limit: closeLimit)
        return link.closure ?? .abnormal
    }

    /// Runs tasks on the thread that serves the connection: a task that prefers it (`withTaskExecutorPreference`) sends and
    /// receives without a change of threads, which is most of what a small message costs. Such a task must not block: other
    /// connections live on the same thread. `nil` only of what never was connected.
    public var executor: (any TaskExecutor)? { link.executor }

    /// How it ended; `nil` while it is open.
    public var closure: WebSocketClosure? { link.closure }

    /// The uptime at which the last part of a message arrived that is not complete; `nil` if there is none.
    package var partialArrival: Duration? {
        let signs = link.signs
        return signs.incompleteSince == nil ? nil : signs.lastArrival
    }

    /// The next message; `nil` at an end in order.
    ///
    /// - Throws: As ``Messages``.
    nonisolated(nonsending) func receive() async throws -> WebSocketMessage? { try await link.receive() }
}

extension WebSocket: CustomStringConvertible {
    /// `WebSocket(open)`, or how it ended.
    public var description: String {
        "WebSocket(\(closure.map { "closed with \($0.code)" } ?? "open"))"
    }
}
