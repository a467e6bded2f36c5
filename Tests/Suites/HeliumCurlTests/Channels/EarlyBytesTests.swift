import Foundation
import HeliumCore
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

/// The bytes of a server that sends them in the moment in which a connection is established, and ends it at once.
@Suite("Bytes that arrive with a channel", .timeLimit(.minutes(20)), .tags(.random))
struct EarlyBytesTests {
    /// The number of connections of each kind.
    private static let count = ProofLength.count(50, full: 10_000)

    @Test("the bytes of a server that speaks first and ends at once are not lost", arguments: ChannelSetting.all)
    func direct(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await Self.speak(to: peer, isSecure: setting.isSecure)
        } _: { transport, target, _ in
            try await Self.expectBytes(from: target, on: transport)
        }
    }

    @Test("the bytes of a server behind a proxy are not lost", arguments: ChannelSetting.all)
    func throughProxy(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await Self.speak(to: peer, isSecure: setting.isSecure)
        } _: { transport, target, server in
            try await WireServer.run { peer in
                _ = try await peer.readHead()
                let response = "HTTP/1.1 200 Connected\r\n\r\n"
                // In clear text, the server's bytes come with the response and its end.
                guard setting.isSecure else { return try await peer.end(after: response + "hello", isSecure: false) }
                try await peer.write(response)
                try await peer.splice(to: server.port)
            } _: { proxy async throws in
                var target = target
                // The name in the certificate.
                target.host = "localhost"
                target.proxy = try ProxyRoute("http://127.0.0.1:\(proxy.port)")
                try await Self.expectBytes(from: target, on: transport)
            }
        }
    }

    private static func speak(to peer: WirePeer, isSecure: Bool) async throws {
        guard isSecure else { return try await peer.end(after: "hello", isSecure: false) }
        // Written when the handshake is complete.
        try await peer.flush("hello")
        try await peer.end(isSecure: true)
    }

    private static func expectBytes(from target: ChannelTarget, on transport: CurlTransport) async throws {
        for number in 0..<count {
            let probe = ChannelProbe(endsWithPeer: true)
            try probe.open(target, on: transport)
            try await probe.waitForEnd()
            let (state, failure) = (probe.now, probe.failure)
            #expect(failure == nil, "connection \(number)")
            #expect(state.received == Data("hello".utf8) && state.peerEnd == true, "connection \(number)")
        }
    }
}
