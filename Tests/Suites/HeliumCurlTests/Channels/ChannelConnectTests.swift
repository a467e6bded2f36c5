import Foundation
import HTTPTypes
import HeliumBytes
import HeliumConcurrency
import HeliumCore
import HeliumServerTesting
import NIOSSL
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Connections of byte channels", .timeLimit(.minutes(5)))
struct ChannelConnectTests {
    /// Opens a channel that must fail.
    private func failure(_ target: ChannelTarget, on transport: CurlTransport) async throws -> TransportFailure {
        let probe = ChannelProbe(endsWithPeer: true)
        try probe.open(target, on: transport)
        try await probe.waitForEnd()
        let state = probe.now
        #expect(!state.isOpen && state.received.isEmpty && state.endCount == 1 && state.lateEvents == [])
        return try #require(probe.failure)
    }

    @Test("the protocol that the server chooses by ALPN is known", arguments: ChannelSetting.secure)
    func applicationProtocol(setting: ChannelSetting) async throws {
        try await setting.run { configuration, _ in
            configuration.applicationProtocols = ["http/1.1"]
        } serve: { peer in
            try await peer.readToEnd()
        } _: { transport, target, _ async throws in
            for (offered, chosen) in [(["spdy/1", "http/1.1"], "http/1.1"), (["other"], nil), ([], nil)] {
                var target = target
                target.tls?.applicationProtocols = offered
                let probe = ChannelProbe()
                try probe.open(target, on: transport)
                try await probe.wait { $0.isOpen }
                #expect(probe.now.facts.applicationProtocol == chosen, "\(offered)")
                probe.abort()
                try await probe.waitForEnd()
            }
        }
    }

    @Test("an untrusted certificate fails, and nothing was sent", arguments: ChannelSetting.secure)
    func untrusted(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await peer.readToEnd()
        } _: { transport, target, _ async throws in
            try await ThrowawayCertificates.with { others in
                var target = target
                target.tls?.certificateAuthorityFile = others.authorityPath
                let failure = try await failure(target, on: transport)
                #expect(failure.kind == .tlsFailed && failure.delivery == .notSent, "\(failure)")
            }
        }
    }

    @Test("a refused port and an unknown host are failures of their kinds", arguments: ChannelSetting.all)
    func unreachable(setting: ChannelSetting) async throws {
        try await withTransport(setting.driver) { transport in
            let tls = setting.isSecure ? ChannelTLS() : nil
            let port = try LastingPort.next()
            let refusal = try await failure(ChannelTarget(host: "127.0.0.1", port: port, tls: tls), on: transport)
            #expect(refusal.kind == .connectionFailed && refusal.delivery == .notSent, "\(refusal)")
            #expect(refusal.message.contains("refused"))
            let absence = try await failure(ChannelTarget(host: "nobody.invalid", port: 80, tls: tls), on: transport)
            #expect(absence.kind == .hostNotFound && absence.delivery == .notSent, "\(absence)")
        }
    }

    @Test("an address that the transport does not allow is not connected to", arguments: ChannelSetting.clear)
    func localAddress(setting: ChannelSetting) async throws {
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            try await withTransport(setting.driver) {
                $0.allowsLocalAddresses = false
            } _: { transport in
                let failure = try await failure(ChannelTarget(host: "127.0.0.1", port: server.port), on: transport)
                #expect(failure.kind == .connectionFailed && failure.message.contains("allowed"), "\(failure)")
            }
            #expect(server.accepted == 0)
        }
    }

    // MARK: Proxies

    @Test("a channel goes through a proxy, whose request has the credentials", arguments: ChannelSetting.all)
    func proxy(setting: ChannelSetting) async throws {
        try await setting.run { peer in
            try await peer.write(try await peer.read(5))
        } _: { transport, target, server async throws in
            let heads = Guarded<[String]>([])
            try await WireServer.run { peer in
                let head = try await peer.readHead()
                heads.withLock { $0.append(head) }
                try await peer.write("HTTP/1.1 200 Connected\r\n\r\n")
                try await peer.splice(to: server.port)
            } _: { proxy async throws in
                var target = target
                target.host = "localhost"
                target.proxy = try ProxyRoute("http://ada:secret@127.0.0.1:\(proxy.port)")
                let probe = ChannelProbe(endsWithPeer: true)
                try probe.open(target, on: transport)
                try await probe.wait { $0.isOpen }
                probe.write("hello")
                try await probe.wait { $0.received == Data("hello".utf8) }
                probe.abort()
                try await probe.waitForEnd()
                let first = heads.withLock { $0.first }
                let head = try #require(first)
                #expect(head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n"), "\(head)")
                #expect(WirePeer.field("Proxy-Authorization", in: head) == "Basic YWRhOnNlY3JldA==")
                #expect(WirePeer.field("Proxy-Connection", in: head) == nil)
                guard setting.isSecure else { return }
                // The certificate is for another name.
                target.host = "other.test"
                let failure = try await failure(target, on: transport)
                #expect(failure.kind == .tlsFailed && failure.delivery == .notSent, "\(failure)")
            }
        }
    }

    @Test(
        "bytes that arrive with the connection are known as early ones",
        arguments: ChannelSetting.clear,
        [false, true]
    )
    func earlyBytes(setting: ChannelSetting, isEarly: Bool) async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 200 Connected\r\n\r\n\(isEarly ? "hello" : "")")
            if !isEarly {
                _ = try await peer.read(1)
                try await peer.write("hello")
            }
        } _: { proxy async throws in
            try await withTransport(setting.driver) { transport in
                let route = try ProxyRoute("http://127.0.0.1:\(proxy.port)")
                let probe = ChannelProbe(endsWithPeer: true)
                try probe.open(ChannelTarget(host: "far.test", port: 443, proxy: route), on: transport)
                try await probe.wait { $0.isOpen }
                if !isEarly { probe.write("?") }
                try await probe.waitForEnd()
                #expect(probe.now.received == Data("hello".utf8) && probe.now.hadEarlyBytes == isEarly)
            }
        }
    }

    @Test("the refusal of a proxy is reported with its fields", arguments: ChannelSetting.all)
    func proxyRefusal(setting: ChannelSetting) async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write(
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno"
            )
        } _: { proxy async throws in
            try await withTransport(setting.driver) { transport in
                try await checkRefusal(setting, proxy.port, transport)
            }
        }
    }

    @Test("the refusal of a proxy that does not wait for the request is reported", arguments: ChannelSetting.all)
    func earlyProxyRefusal(setting: ChannelSetting) async throws {
        let text =
            "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
        try await AbruptPeer.run { _ in
            Array(text.utf8)
        } _: { proxy async throws in
            try await withTransport(setting.driver) { transport in
                for _ in 0..<50 { try await checkRefusal(setting, proxy.port, transport) }
            }
        }
    }

    private func checkRefusal(_ setting: ChannelSetting, _ port: Int, _ transport: CurlTransport) async throws {
        let proxy = try ProxyRoute("http://127.0.0.1:\(port)")
        let tls = setting.isSecure ? ChannelTLS() : nil
        let target = ChannelTarget(host: "far.test", port: 443, tls: tls, proxy: proxy)
        let failure = try await failure(target, on: transport)
        #expect(failure.kind == .unacceptableStatus && failure.delivery == .notSent, "\(failure)")
        #expect(failure.response?.head.status == 407 && failure.response?.head[.proxyAuthenticate] == "Basic")
    }

    // MARK: Ends while connecting

    /// A step of connecting at which the peer does not go on.
    enum Step: CaseIterable, Sendable { case start, tunnel, tls, open }

    /// Runs `body` with a channel that has come to a step.
    private func withChannel(
        at step: Step,
        _ setting: ChannelSetting,
        _ body: (ChannelProbe, CurlTransport, WireServer) async throws -> Void
    ) async throws {
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            try await withTransport(setting.driver) { transport in
                var target = ChannelTarget(host: "127.0.0.1", port: server.port)
                switch step {
                case .start, .open: break
                case .tunnel:
                    target.host = "far.test"
                    target.proxy = try ProxyRoute("http://127.0.0.1:\(server.port)")
                case .tls: target.tls = ChannelTLS()
                }
                let probe = ChannelProbe()
                try probe.open(target, on: transport)
                switch step {
                case .start: break
                case .tunnel, .tls: try await eventually { server.accepted == 1 }
                case .open: try await probe.wait { $0.isOpen }
                }
                try await body(probe, transport, server)
            }
        }
    }

    @Test("a channel is ended at each step", arguments: ChannelSetting.clear, Step.allCases)
    func cancelled(setting: ChannelSetting, step: Step) async throws {
        try await withChannel(at: step, setting) { probe, _, server in
            probe.abort()
            try await probe.waitForEnd()
            #expect(probe.failure == nil && probe.now.endCount == 1 && probe.now.lateEvents == [])
            if step != .start { await server.waitForEnds() }
        }
    }

    @Test("the end of the transport ends a channel at each step", arguments: ChannelSetting.clear, Step.allCases)
    func shutdown(setting: ChannelSetting, step: Step) async throws {
        try await withChannel(at: step, setting) { probe, transport, server in
            await transport.shutdown()
            try await probe.waitForEnd()
            let failure = try #require(probe.failure)
            #expect(failure.kind == .clientClosed && failure.delivery == .notSent, "\(failure)")
            if step != .start { await server.waitForEnds() }
            let late = ChannelProbe()
            let error = #expect(throws: TransportFailure.self) {
                try late.open(ChannelTarget(host: "127.0.0.1", port: server.port), on: transport)
            }
            #expect(error?.kind == .clientClosed && late.now.endCount == 0)
        }
    }

    @Test("channels that are opened and ended from many tasks leave nothing", .tags(.random), arguments: drivers)
    func storm(driver: CurlTransport.Configuration.Driver) async throws {
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            try await withTransport(driver) { transport in
                let target = ChannelTarget(host: "127.0.0.1", port: server.port)
                let probes = try await withThrowingTaskGroup(of: [ChannelProbe].self) { group in
                    for seed in 0..<8 {
                        group.addTask {
                            var random = ProofLength.random(seed: UInt64(seed))
                            var probes: [ChannelProbe] = []
                            for _ in 0..<ProofLength.count(25, full: 1_000) {
                                let probe = ChannelProbe()
                                try probe.open(target, on: transport)
                                switch random.below(4) {
                                case 0: probe.abort()
                                case 1: try await probe.wait { $0.isOpen || $0.end != nil }
                                default: for _ in 0..<random.below(20) { await Task.yield() }
                                }
                                probe.perform { $0.write { $0.append(1) } }
                                probe.abort()
                                probes.append(probe)
                            }
                            return probes
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                for probe in probes {
                    try await probe.waitForEnd()
                    #expect(probe.failure == nil && probe.now.endCount == 1 && probe.now.lateEvents == [])
                }
            }
        }
    }
}
