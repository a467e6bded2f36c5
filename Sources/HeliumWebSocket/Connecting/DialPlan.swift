internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import Synchronization

/// The plan for connecting to an address: all decisions before any I/O.
struct DialPlan: Sendable {
    let dialer: Dialer

    /// Creates a plan.
    ///
    /// - Throws: `HeliumError` of kind `invalidConfiguration`.
    init(_ address: WebSocketAddress, _ options: WebSocketOptions) throws {
        let fieldSecrets = options.fields.filter { SensitiveFields.contains($0.name) }.flatMap {
            // A server may repeat only the second word of `Bearer abc`.
            [$0.value] + $0.value.split(separator: " ").dropFirst().map(String.init)
        }
        let known = address.secrets + fieldSecrets
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
        dialer = Dialer(
            target: ChannelTarget(
                host: address.host,
                port: address.port,
                tls: address.isSecure ? ChannelTLS(options.tls) : nil,
                proxy: route
            ),
            failures: failures,
            clock: options.clock
        )
    }
}

extension ChannelTLS {
    init(_ options: WebSocketOptions.TLS) {
        self.init(
            certificateAuthorityFile: options.certificateAuthorityFile,
            certificateAuthorityDirectory: options.certificateAuthorityDirectory,
            applicationProtocols: ["http/1.1"]
        )
    }
}

extension Dialer {
    /// Connects, requests a WebSocket and passes the connection to the link.
    ///
    /// - Returns: The subprotocol that the server chose.
    func upgrade(
        with request: UpgradeRequest,
        options: WebSocketOptions,
        link: MessageLink,
        on transport: CurlTransport
    ) async throws -> String? {
        let chosen = Guarded<String?>(nil)
        try await dial(limit: options.timeouts.connect, on: transport) { attempt in
            UpgradeHandler(request.text, attempt: attempt, failures: failures) { answer throws(HeliumError) in
                guard answer.head.status == 101 else {
                    throw failures.refusal(by: "the server", answer)
                }
                if let fault = request.fault(in: answer.head) {
                    throw failures.error(.malformedResponse, .answered, fault)
                }
                let subprotocol = answer.head[.secWebSocketProtocol]
                chosen.withLock { $0 = subprotocol }
                return LinkHandler(
                    link: link,
                    codec: WebSocketCodec(options),
                    closeLimit: options.timeouts.close,
                    pace: ArrivalPace(options.limits)
                )
            }
        }
        return chosen.withLock(\.self)
    }
}
