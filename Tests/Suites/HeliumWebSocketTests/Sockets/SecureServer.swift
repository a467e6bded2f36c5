import HeliumServer
import HeliumServerTesting
import NIOSSL
import WireSupport

/// A server over TLS for `localhost` and 127.0.0.1, and the authority of its certificate. Unless the test says otherwise it
/// accepts the upgrade, sends a text and waits for the close frame.
func withTLSServer<Value: Sendable>(
    versions: (minimum: TLSVersion, maximum: TLSVersion?) = (.tlsv12, nil),
    serve: @escaping @Sendable (WirePeer) async throws -> Void = { peer in
        try await peer.upgrade()
        try await peer.send(text: "hello")
        try await peer.answerClose()
    },
    _ body: (WireServer, ThrowawayCertificates) async throws -> Value
) async throws -> Value {
    try await ThrowawayCertificates.with { certificates in
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.server.certificatePath)
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.server.keyPath, format: .pem))
        )
        configuration.minimumTLSVersion = versions.minimum
        configuration.maximumTLSVersion = versions.maximum
        let context = try NIOSSLContext(configuration: configuration)
        return try await WireServer.run(tls: context, serve: serve) { server async throws in
            try await body(server, certificates)
        }
    }
}
