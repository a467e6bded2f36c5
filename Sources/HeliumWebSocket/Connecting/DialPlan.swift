internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import NIOCore
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
            route = try ProxyRoute.route(to: address, by: options.proxy)
        } catch {
            throw failures.error(.invalidConfiguration, .notSent, error.description)
        }
        if let route { failures = FailureMaker(url: address.redacted, secrets: known + route.secrets) }
        if address.isSecure, route != nil, AddressBytes(address.host) != nil {
            // The TLS library would compare the certificate with the proxy's address.
            let message =
                "through a proxy, a wss URL must name its host: the certificate of an address can't be verified"
            throw failures.error(.invalidConfiguration, .notSent, message)
        }
        dialer = Dialer(
            host: address.host,
            port: address.port,
            route: route,
            tls: address.isSecure ? try TLSClient(options.tls, host: address.host, failures: failures) : nil,
            failures: failures,
            clock: options.clock
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
        link: MessageLink
    ) async throws -> String? {
        let chosen = Guarded<String?>(nil)
        try await dial(limit: options.timeouts.connect) { channel, attempt in
            HTTPExchange.run(
                request.text,
                on: channel,
                isSecure: tls != nil,
                requestLeaves: attempt.requestLeaves
            ) { answer in
                guard answer.head.status == 101 else {
                    throw failures.refusal(by: "the server", answer)
                }
                if let fault = request.fault(in: answer.head) {
                    throw failures.error(.malformedResponse, .answered, fault)
                }
                let subprotocol = answer.head[.secWebSocketProtocol]
                chosen.withLock { $0 = subprotocol }
                try channel.pipeline.syncOperations.addHandler(
                    LinkHandler(
                        link: link,
                        codec: WebSocketCodec(options),
                        closeLimit: options.timeouts.close,
                        pace: ArrivalPace(options.limits)
                    )
                )
            }
        }
        return chosen.withLock(\.self)
    }
}
