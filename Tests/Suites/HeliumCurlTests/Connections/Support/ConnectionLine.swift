import HeliumCore
import HeliumCurl
import HeliumServer
import HeliumServerTesting
import NIOCore
import NIOSSL
import Testing
import WireSupport

/// A protocol on a kind of connection.
enum ConnectionLine: Sendable, CustomTestStringConvertible {
    case clear, tls
    /// HTTP/2 in clear text, which the client knows of.
    case priorKnowledge
    /// HTTP/2 over TLS, which the server chooses (ALPN).
    case negotiated

    static let http1: [Self] = [.clear, .tls]
    static let http2: [Self] = [.priorKnowledge, .negotiated]
    static let all = http1 + http2

    var isHTTP2: Bool { self == .priorKnowledge || self == .negotiated }

    var isSecure: Bool { self == .tls || self == .negotiated }

    var testDescription: String {
        switch self {
        case .clear: "HTTP/1.1"
        case .tls: "HTTP/1.1 over TLS"
        case .priorKnowledge: "HTTP/2"
        case .negotiated: "HTTP/2 over TLS"
        }
    }

    /// Runs `body` with what all servers of this kind share.
    func prepare(_ body: (PreparedLine) async throws -> Void) async throws {
        guard isSecure else { return try await body(PreparedLine(line: self)) }
        try await SharedCertificates.with { certificates in
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.server.certificatePath)
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.server.keyPath, format: .pem))
            )
            configuration.applicationProtocols = self == .negotiated ? ["h2", "http/1.1"] : ["http/1.1"]
            try await body(
                PreparedLine(
                    line: self,
                    authority: certificates.authorityPath,
                    tls: try NIOSSLContext(configuration: configuration)
                )
            )
        }
    }

    /// Runs `body` with a transport and a server of this kind.
    func run(
        driver: CurlTransport.Configuration.Driver = .automatic,
        times: ConnectionTimes = ConnectionTimes(),
        _ serve: @escaping @Sendable (WirePeer, _ number: Int, DeliveryLedger) async throws -> Void,
        _ body: (Caller) async throws -> Void
    ) async throws {
        try await prepare { try await $0.run(driver: driver, times: times, serve, body) }
    }
}

/// A line with the certificates of its servers, which are slow to make.
struct PreparedLine: Sendable {
    let line: ConnectionLine
    var authority: String?
    var tls: NIOSSLContext?

    /// Runs `body` with a transport and a server.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of connections at a time.
    ///   - driver: The mechanism with which the loop waits.
    ///   - times: The times of the connections.
    ///   - serve: The script of a connection, with its number from 0.
    func run(
        upTo limit: Int = 128,
        driver: CurlTransport.Configuration.Driver = .automatic,
        times: ConnectionTimes = ConnectionTimes(),
        _ serve: @escaping @Sendable (WirePeer, _ number: Int, DeliveryLedger) async throws -> Void,
        _ body: (Caller) async throws -> Void
    ) async throws {
        let ledger = DeliveryLedger()
        try await WireServer.run(tls: tls) { wire in
            let number = ledger.open()
            defer { ledger.end() }
            try await serve(wire, number, ledger)
        } _: { server async throws in
            try await withTransport(driver, times: times) {
                $0.certificateAuthorityFile = authority
                $0.maximumConnectionsPerHost = limit
            } _: { transport in
                let scheme = line.isSecure ? "https" : "http"
                let url = "\(scheme)://127.0.0.1:\(server.port)"
                try await body(Caller(line: line, url: url, transport: transport, ledger: ledger))
            }
        }
    }
}
