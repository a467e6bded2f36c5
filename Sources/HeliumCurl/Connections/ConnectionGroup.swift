import HTTPTypes
import HeliumCore
import HeliumWire

/// The connections that calls to an origin can share. Those of HTTP/2 with prior knowledge in clear text are a group of
/// their own, because no other call can use them.
struct ConnectionGroup: Hashable, Sendable {
    let origin: Origin
    let isPriorKnowledge: Bool

    var isSecure: Bool { origin.isSecure }

    init(_ origin: Origin, _ version: HTTPVersionPolicy) {
        self.origin = origin
        // Over TLS the handshake always negotiates.
        isPriorKnowledge = version.choice == .http2PriorKnowledge && !origin.isSecure
    }

    /// Returns the peer and the settings of a connection.
    ///
    /// - Parameters:
    ///   - offersHTTP2: Whether HTTP/2 is offered by ALPN.
    ///   - connectLimit: The caller's limit.
    func target(
        _ configuration: CurlTransport.Configuration,
        offersHTTP2: Bool,
        connectLimit: Duration?
    ) -> ChannelTarget {
        let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
        let names = offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        var target = ChannelTarget(
            host: host,
            port: origin.port ?? (isSecure ? 443 : 80),
            tls: isSecure ? ChannelTLS(configuration, applicationProtocols: names) : nil
        )
        target.connectLimit = connectLimit
        return target
    }
}

extension TransferSlot {
    /// The group of the call's connections.
    var group: ConnectionGroup? { origin.map { ConnectionGroup($0, version) } }

    /// The protocols over which the call may be sent.
    var protocols: PoolProtocols {
        #if HTTP2
            if origin?.isSecure == true { return needsHTTP1 || version.choice == .http1 ? .http1 : .negotiated }
            return version.choice == .http2PriorKnowledge ? .priorKnowledge : .http1
        #else
            .http1
        #endif
    }

    /// Whether a body follows the head.
    var hasBody: Bool {
        switch request.body {
        case .none, .length(0): false
        case .length, .unknown: true
        }
    }

    /// Whether the caller asked the server to confirm the head before the body is sent (RFC 9110 §10.1.1).
    var expectsContinue: Bool {
        request.fields[.expect]?.lowercased() == "100-continue"
    }
}

extension ConnectionPool.Configuration {
    /// Creates the ceilings and times of a transport's pool.
    init(_ configuration: CurlTransport.Configuration, _ times: ConnectionTimes) {
        self.init()
        maximumPerGroup = max(1, configuration.maximumConnectionsPerHost)
        maximum = max(1, configuration.maximumConnections)
        maximumIdle = max(1, configuration.maximumIdleConnections)
        idleLimit = times.idle
        maximumAge = LoopTurn.nanoseconds(configuration.maximumConnectionAge)
    }
}
