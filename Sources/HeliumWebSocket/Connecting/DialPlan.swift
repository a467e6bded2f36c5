internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import Synchronization

/// The plan for opening a WebSocket: all decisions before any I/O.
struct DialPlan: Sendable {
    private let request: UpgradeRequest
    private let options: WebSocketOptions
    private let dialer: Dialer
    private let transport: CurlTransport

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - options: The settings. If their TLS settings are the default, those of the transport are used.
    ///   - secrets: More texts to mask in errors.
    ///   - transport: The transport on whose loop the connection lives.
    /// - Throws: `HeliumError` of kind `invalidRequest` or `invalidConfiguration`.
    init(
        _ address: WebSocketAddress,
        _ options: WebSocketOptions,
        secrets: [String] = [],
        on transport: CurlTransport
    ) throws(HeliumError) {
        let fieldSecrets = options.fields.filter { SensitiveFields.contains($0.name) }.flatMap {
            // A server may repeat only the second word of `Bearer abc`.
            [$0.value] + $0.value.split(separator: " ").dropFirst().map(String.init)
        }
        let known = address.secrets + fieldSecrets + secrets
        var failures = FailureMaker(url: address.redacted, secrets: known)
        let route: ProxyRoute?
        do throws(InvalidURL) {
            route = try ProxyRoute.route(
                to: address.host,
                scheme: address.scheme,
                isSecure: address.isSecure,
                by: options.proxy.choice
            )
        } catch {
            throw failures.error(.invalidConfiguration, .notSent, error.description)
        }
        if let route { failures = FailureMaker(url: address.redacted, secrets: known + route.secrets) }
        do throws(InvalidURL) {
            request = try UpgradeRequest(to: address, options: options)
        } catch {
            throw failures.error(.invalidRequest, .notSent, error.description)
        }
        self.options = options
        self.transport = transport
        dialer = Dialer(
            target: ChannelTarget(
                host: address.host,
                port: address.port,
                tls: address.isSecure ? ChannelTLS(options.tls, on: transport) : nil,
                proxy: route
            ),
            failures: failures,
            clock: options.clock
        )
    }
}

extension ChannelTLS {
    /// Creates the TLS settings of a WebSocket: its own if there are any, and otherwise those of the transport.
    init(_ options: WebSocketOptions.TLS, on transport: CurlTransport) {
        self.init(transport.configuration, applicationProtocols: ["http/1.1"])
        guard options != WebSocketOptions.TLS() else { return }
        certificateAuthorityFile = options.certificateAuthorityFile
        certificateAuthorityDirectory = options.certificateAuthorityDirectory
    }
}

extension DialPlan {
    /// Connects and requests the WebSocket.
    ///
    /// - Parameters:
    ///   - attempt: The attempt, which has not begun.
    ///   - headLimit: The maximum number of bytes of the response's head.
    ///   - bodyLimit: The number of bytes of a refusal's body that are kept.
    /// - Returns: The open WebSocket, and the head of the response.
    /// - Throws: `HeliumError`; `CancellationError`.
    func open(
        _ attempt: DialAttempt,
        limits: DialLimits,
        headLimit: Int = RawHTTPResponseReader.defaultHeadLimit,
        bodyLimit: Int = RawHTTPResponseReader.defaultBodyLimit
    ) async throws -> (socket: WebSocket, head: ResponseHead) {
        let failures = dialer.failures
        let link = MessageLink(limits: LinkState.Limits(options.limits), clock: options.clock, failures: failures)
        let accepted = Guarded<ResponseHead?>(nil)
        let handler = UpgradeHandler(
            request.text,
            attempt: attempt,
            failures: failures,
            headLimit: headLimit,
            bodyLimit: bodyLimit
        ) { [request, options] answer throws(HeliumError) in
            guard answer.head.status == 101 else { throw failures.refusal(answer) }
            if let fault = request.fault(in: answer.head) {
                throw failures.error(.malformedResponse, .answered, fault)
            }
            accepted.withLock { $0 = answer.head }
            return LinkHandler(
                link: link,
                codec: WebSocketCodec(options),
                closeLimit: options.timeouts.close,
                pace: ArrivalPace(options.limits)
            )
        }
        try await dialer.dial(attempt, limits: limits, on: transport, handler: handler)
        guard let head = accepted.withLock(\.self) else {
            throw failures.error(.connectionFailed, attempt.delivery, "the connection has no response")
        }
        link.keepAlive(
            Keepalive(
                pingInterval: options.timeouts.pingInterval,
                silenceLimit: options.timeouts.silence,
                sendLimit: options.timeouts.send,
                messageLimit: options.timeouts.message
            )
        )
        let socket = WebSocket(
            link: link,
            subprotocol: head[.secWebSocketProtocol],
            closeLimit: options.timeouts.close,
            transport: transport
        )
        return (socket, head)
    }
}
