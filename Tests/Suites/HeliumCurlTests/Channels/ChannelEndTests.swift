import Foundation
import HeliumBytes
import HeliumConcurrency
import HeliumCore
import HeliumServerKit
import HeliumServerTesting
import NIOCore
import NIOSSL
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Ends of byte channels", .timeLimit(.minutes(5)))
struct ChannelEndTests {
    /// A way in which a peer ends a connection.
    enum Ending: CaseIterable, Sendable {
        /// The end of TCP, under TLS after close_notify.
        case orderly
        /// The end of TCP alone.
        case cut
        case reset
    }

    @Test(
        "each way in which the peer ends is reported after its last bytes, also to an idle channel",
        arguments: ChannelSetting.all,
        Ending.allCases
    )
    func peer(setting: ChannelSetting, ending: Ending) async throws {
        let ends = Signal<Void>()
        try await setting.run { peer in
            try await peer.write("last words")
            try await ends.value()
            switch ending {
            case .orderly: break
            case .cut: if setting.isSecure { try await peer.cutTLS() }
            case .reset: try await peer.reset(isSecure: setting.isSecure)
            }
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.receivedCount == 10 }
            #expect(probe.now.peerEnd == nil && probe.now.end == nil)
            ends.settle()
            try await probe.wait { $0.peerEnd != nil || $0.end != nil }
            let state = probe.now
            switch ending {
            case .orderly: #expect(state.peerEnd == true && state.end == nil)
            case .cut:
                if let failure = probe.failure {
                    // A libcurl that does not ignore the missing close_notify.
                    #expect(setting.isSecure && failure.kind == .connectionLost)
                } else {
                    #expect(state.peerEnd == !setting.isSecure)
                }
            case .reset:
                let failure = try #require(probe.failure)
                #expect(failure.kind == .connectionLost && failure.delivery == .notSent, "\(failure)")
            }
            #expect(state.received == Data("last words".utf8))
        }
    }

    @Test("the bytes before a reset arrive although a write fails first", arguments: ChannelSetting.clear)
    func writeAfterReset(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            _ = try await peer.read(1)
            try await peer.write("why")
            try await peer.reset(isSecure: setting.isSecure)
        } _: { transport, target, server async throws in
            let probe = ChannelProbe(pausingAfter: 1)
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.perform { channel in
                channel.isPaused = true
                channel.write { $0.append("a") }
            }
            // Nothing is read until the reset is there.
            await server.waitForEnds()
            probe.perform { channel in
                channel.isPaused = false
                channel.write { $0.append("b") }
            }
            try await probe.wait { $0.isPaused || $0.end != nil }
            // The connection, which can neither be written nor is read, does not wake the loop.
            try await transport.waitForSleep()
            probe.resume()
            try await probe.waitForEnd()
            #expect(probe.now.received == Data("why".utf8))
            let failure = try #require(probe.failure)
            #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(failure)")
        }
    }

    @Test(
        "a reset after the end of the peer's direction is reported to a channel that writes nothing",
        arguments: ChannelSetting.clear
    )
    func resetAfterEnd(setting: ChannelSetting) async throws {
        let resets = Signal<Void>()
        try await setting.run { peer in
            try await peer.write("last words")
            try await peer.channel.close(mode: .output).get()
            try await resets.value()
            try await peer.reset(isSecure: false)
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.peerEnd != nil || $0.end != nil }
            #expect(probe.now.peerEnd == true && probe.now.end == nil)
            resets.settle()
            try await probe.waitForEnd()
            let failure = try #require(probe.failure)
            #expect(failure.kind == .connectionLost && failure.delivery == .notSent, "\(failure)")
            #expect(probe.now.received == Data("last words".utf8) && probe.now.lateEvents == [])
        }
    }

    @Test("a channel whose both directions have ended lets the loop sleep", arguments: ChannelSetting.clear)
    func bothEnded(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await peer.channel.setOption(.allowRemoteHalfClosure, value: true).get()
            try await peer.channel.close(mode: .output).get()
            try await peer.readToEnd()
        } _: { transport, target, server async throws in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.peerEnd != nil }
            probe.perform { $0.endWriting() }
            await server.waitForEnds()
            try await transport.waitForSleep()
            #expect(probe.now.peerEnd == true && probe.now.end == nil)
        }
    }

    @Test("a fatal alert after the handshake is recognized", arguments: ChannelSetting.secure)
    func alert(setting: ChannelSetting) async throws {
        try await setting.run { configuration, certificates in
            // In TLS 1.3 the client has finished when the server finds that it has no certificate (RFC 8446 §4.4.2.4).
            configuration.minimumTLSVersion = .tlsv13
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .file(certificates.authorityPath)
        } serve: { peer in
            try await peer.readToEnd()
        } _: { transport, target, _ async throws in
            let probe = ChannelProbe(endsWithPeer: true)
            try probe.open(target, on: transport)
            try await probe.waitForEnd()
            let failure = try #require(probe.failure)
            #expect(failure.kind == .connectionLost && failure.delivery == .notSent, "\(failure)")
            // certificate_required
            #expect(failure.message == "the peer ended TLS with alert 116")
        }
    }

    @Test("keys are updated again and again while both sides write", arguments: ChannelSetting.secure)
    func keyUpdates(setting: ChannelSetting) async throws {
        try await ThrowawayCertificates.with { certificates in
            let server = try OpenSSLServer(certificates.server)
            defer { server.stop() }
            try await eventually { server.port != nil }
            let port = try #require(server.port)
            try await withTransport(setting.driver) { transport in
                let probe = ChannelProbe()
                let tls = ChannelTLS(certificateAuthorityFile: certificates.authorityPath)
                try probe.open(ChannelTarget(host: "localhost", port: port, tls: tls), on: transport)
                try await probe.wait { $0.isOpen }
                let chunk = Data(repeating: UInt8(ascii: "#"), count: 300_000)
                for number in 1...6 {
                    probe.write(chunk)
                    // Requests an update of both directions (RFC 8446 §4.6.3).
                    server.type("K\n")
                    try await eventually { server.handshakes == number }
                    server.type("line \(number)\n")
                    let text = (1...number).map { "line \($0)\n" }.joined()
                    try await probe.wait { $0.received == Data(text.utf8) || $0.end != nil }
                    try #require(probe.failure == nil)
                }
                try await eventually { server.marks == 6 * chunk.count }
            }
        }
    }
}
