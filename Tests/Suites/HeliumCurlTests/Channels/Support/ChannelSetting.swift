import Foundation
import HeliumCore
import HeliumServerKit
import HeliumServerTesting
import NIOCore
import NIOSSL
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

/// A way of the bytes and of waiting for them.
struct ChannelSetting: Sendable, CustomTestStringConvertible {
    let isSecure: Bool
    let driver: CurlTransport.Configuration.Driver

    static let all = clear + [Self(isSecure: true, driver: .automatic), Self(isSecure: true, driver: .poll)]
    static let clear = [Self(isSecure: false, driver: .automatic), Self(isSecure: false, driver: .poll)]
    static let secure = all.filter(\.isSecure)

    var testDescription: String { "\(isSecure ? "TLS" : "clear text") with \(driver)" }

    /// Runs `body` with a server of this kind, a transport, and the server as a channel's target.
    func run<Value: Sendable>(
        configure: (inout TLSConfiguration, ThrowawayCertificates) throws -> Void = { _, _ in },
        serve: @escaping @Sendable (WirePeer) async throws -> Void,
        _ body: (CurlTransport, ChannelTarget, WireServer) async throws -> Value
    ) async throws -> Value {
        guard isSecure else {
            return try await WireServer.run(serve: serve) { server async throws in
                try await withTransport(driver) { transport in
                    try await body(transport, ChannelTarget(host: "127.0.0.1", port: server.port), server)
                }
            }
        }
        return try await ThrowawayCertificates.with { certificates in
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.server.certificatePath)
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.server.keyPath, format: .pem))
            )
            try configure(&configuration, certificates)
            let context = try NIOSSLContext(configuration: configuration)
            return try await WireServer.run(tls: context, serve: serve) { server async throws in
                try await withTransport(driver) { transport in
                    let tls = ChannelTLS(certificateAuthorityFile: certificates.authorityPath)
                    let target = ChannelTarget(host: "127.0.0.1", port: server.port, tls: tls)
                    return try await body(transport, target, server)
                }
            }
        }
    }
}

extension CurlTransport {
    /// Waits until the loop sleeps, as a loop does that has nothing to do.
    func waitForSleep() async throws {
        try await eventually {
            let turns = loopTurns
            try await Task.sleep(for: .milliseconds(20))
            return loopTurns == turns
        }
    }
}
