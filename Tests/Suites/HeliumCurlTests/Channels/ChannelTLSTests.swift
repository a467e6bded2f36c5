import Dispatch
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumServerKit
import HeliumServerTesting
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("TLS of byte channels", .timeLimit(.minutes(5)))
struct ChannelTLSTests {
    /// A version of TLS, and a way of waiting for bytes.
    struct Setting: CustomTestStringConvertible, Sendable {
        let isOld: Bool
        let driver: CurlTransport.Configuration.Driver

        static let new = drivers.map { Self(isOld: false, driver: $0) }
        static let old = drivers.map { Self(isOld: true, driver: $0) }
        static let all = new + old

        var testDescription: String { "TLS 1.\(isOld ? 2 : 3) with \(driver)" }

        /// Runs `body` with a transport and a peer, as a channel's target.
        func run(
            serve: @escaping @Sendable (TLSPeer) throws -> Void,
            _ body: (CurlTransport, ChannelTarget) async throws -> Void
        ) async throws {
            try await ThrowawayCertificates.with { try await run($0, serve: serve, body) }
        }

        func run(
            _ certificates: ThrowawayCertificates,
            serve: @escaping @Sendable (TLSPeer) throws -> Void,
            _ body: (CurlTransport, ChannelTarget) async throws -> Void
        ) async throws {
            try await TLSPeer.run(
                certificate: certificates.server.certificatePath,
                key: certificates.server.keyPath,
                isOld: isOld,
                serve: serve
            ) { port in
                try await withTransport(driver) { transport in
                    let tls = ChannelTLS(certificateAuthorityFile: certificates.authorityPath)
                    try await body(transport, ChannelTarget(host: "localhost", port: port, tls: tls))
                }
            }
        }
    }

    // MARK: The peer's end

    /// A way in which a peer ends a connection.
    enum Ending: CaseIterable, Sendable {
        /// TLS ends, and TCP stays.
        case closeNotify
        /// TCP ends, and TLS did not.
        case cut
        case reset
        case alert
        /// Bytes that are no TLS.
        case noTLS

        func happen(on peer: TLSPeer) throws {
            switch self {
            case .closeNotify:
                try peer.notifyClose()
                peer.waitForEnd()
            case .cut: break
            case .reset: peer.resetAtEnd()
            case .alert: try peer.alert()
            case .noTLS: try peer.writePlain("HTTP/1.1 400 Bad Request\r\n\r\n")
            }
        }
    }

    @Test(
        "each way in which the peer ends TLS is reported after its last bytes, and that bytes were sent",
        arguments: Setting.all
    )
    func ends(setting: Setting) async throws {
        try await ThrowawayCertificates.with { certificates in
            for ending in Ending.allCases { try await end(by: ending, setting, certificates) }
        }
    }

    private func end(by ending: Ending, _ setting: Setting, _ certificates: ThrowawayCertificates) async throws {
        try await setting.run(certificates) { peer in
            try peer.write("last words")
            try peer.read(2)
            try ending.happen(on: peer)
        } _: { transport, target in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.receivedCount == 10 || $0.end != nil }
            #expect(probe.now.peerEnd == nil && probe.now.end == nil)
            probe.write("go")
            try await probe.wait { $0.peerEnd != nil || $0.end != nil }
            let state = probe.now
            #expect(state.received == Data("last words".utf8) && state.writes == [true], "\(ending)")
            switch ending {
            case .closeNotify: #expect(state.peerEnd == true && state.end == nil)
            // A libcurl that ignores the missing close_notify.
            case .cut where probe.failure == nil: #expect(state.peerEnd == false && state.end == nil)
            case .cut, .reset, .alert, .noTLS:
                let failure = try #require(probe.failure)
                #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(ending): \(failure)")
                // bad_record_mac
                let hasAlert = failure.message == "the peer ended TLS with alert 20"
                #expect(hasAlert == (ending == .alert), "\(ending): \(failure)")
            }
        }
    }

    @Test("a reset after close_notify is reported to a channel that writes nothing", arguments: Setting.all)
    func resetAfterEnd(setting: Setting) async throws {
        let resets = DispatchSemaphore(value: 0)
        try await setting.run { peer in
            try peer.notifyClose()
            resets.wait()
            peer.resetAtEnd()
        } _: { transport, target in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            defer { resets.signal() }
            try await probe.wait { $0.peerEnd != nil || $0.end != nil }
            #expect(probe.now.peerEnd == true && probe.now.end == nil)
            resets.signal()
            try await probe.waitForEnd()
            let failure = try #require(probe.failure)
            #expect(failure.kind == .connectionLost && failure.delivery == .notSent, "\(failure)")
        }
    }

    // MARK: Our end

    /// A way in which this side ends a channel.
    enum OwnEnding: CaseIterable, Sendable { case close, abort, endWriting, shutdown }

    @Test(
        "the peer gets close_notify before the end of TCP, in whichever way this side ends",
        arguments: Setting.all
    )
    func ownEnd(setting: Setting) async throws {
        try await ThrowawayCertificates.with { certificates in
            for ending in OwnEnding.allCases { try await endOurselves(by: ending, setting, certificates) }
        }
    }

    private func endOurselves(
        by ending: OwnEnding,
        _ setting: Setting,
        _ certificates: ThrowawayCertificates
    ) async throws {
        let isOrderly = Signal<Bool>()
        try await setting.run(certificates) { peer in
            try peer.read(5)
            isOrderly.settle(.success(peer.waitForEnd()))
        } _: { transport, target in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.write("hello")
            try await probe.wait { $0.writes == [true] }
            switch ending {
            case .close: probe.perform { $0.close() }
            case .abort: probe.abort()
            case .endWriting: probe.perform { $0.endWriting() }
            case .shutdown: await transport.shutdown()
            }
            try await probe.waitForEnd()
            #expect(try await isOrderly.value(), "\(ending)")
        }
    }

    // MARK: Messages of TLS itself

    @Test("a ticket to an idle channel is neither data nor an end, and lets the loop sleep", arguments: Setting.new)
    func lateTicket(setting: Setting) async throws {
        let sends = DispatchSemaphore(value: 0)
        try await setting.run { peer in
            for _ in 1...3 {
                sends.wait()
                try peer.sendTicket()
            }
            try peer.read(1)
            try peer.write("data")
            peer.waitForEnd()
        } _: { transport, target in
            defer { for _ in 1...3 { sends.signal() } }
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            for _ in 1...3 {
                try await transport.waitForSleep()
                let turns = transport.loopTurns
                sends.signal()
                try await eventually { transport.loopTurns > turns }
                try await transport.waitForSleep()
                // With edges it is one turn, and otherwise a few.
                #expect(transport.loopTurns - turns < 10)
                #expect(probe.now.receivedCount == 0 && probe.now.peerEnd == nil && probe.now.end == nil)
            }
            probe.write("?")
            try await probe.wait { $0.received == Data("data".utf8) || $0.end != nil }
            #expect(probe.now.peerEnd == nil && probe.now.end == nil)
        }
    }

    @Test("tickets and updates of keys among data leave the data as it is", arguments: Setting.new)
    func mixed(setting: Setting) async throws {
        try await setting.run { peer in
            for number in 0..<10 {
                try peer.read(1)
                try peer.together { () throws(TLSPeer.Failed) in
                    try peer.sendTicket()
                    try peer.write("one \(number), ")
                    try peer.updateKeys(asks: number % 2 == 0)
                    try peer.sendTicket()
                    try peer.write("two \(number); ")
                    try peer.sendTicket()
                }
            }
            peer.waitForEnd()
        } _: { transport, target in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            var expected = ""
            for number in 0..<10 {
                probe.write("?")
                expected += "one \(number), two \(number); "
                try await probe.wait { $0.received == Data(expected.utf8) || $0.end != nil }
            }
            #expect(probe.now.received == Data(expected.utf8) && probe.now.end == nil && probe.now.peerEnd == nil)
        }
    }

    @Test("both sides update their keys while both write", arguments: Setting.new)
    func keyUpdates(setting: Setting) async throws {
        let (count, rounds) = (20_000, 50)
        try await setting.run { peer in
            let part = [UInt8](repeating: 7, count: count)
            for _ in 0..<rounds {
                try peer.together { () throws(TLSPeer.Failed) in
                    try peer.updateKeys(asks: true)
                    try peer.write(part)
                }
                guard try peer.read(count) == [UInt8](repeating: 8, count: count) else { return }
            }
            try peer.write("right")
            peer.waitForEnd()
        } _: { transport, target in
            let probe = ChannelProbe()
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.write(Data(repeating: 8, count: count * rounds))
            let expected = Data(repeating: 7, count: count * rounds) + Data("right".utf8)
            try await probe.wait { $0.receivedCount == expected.count || $0.peerEnd != nil || $0.end != nil }
            #expect(probe.now.received == expected && probe.now.end == nil)
        }
    }

    /// Asks a peer for `count` bytes, which arrive, and then for the messages of TLS for which its connection is ended.
    ///
    /// - Returns: All bytes of the peer.
    private static func receivedOfFlood(
        after count: Int,
        from target: ChannelTarget,
        on transport: CurlTransport
    ) async throws -> Data {
        let probe = ChannelProbe(endsWithPeer: true)
        try probe.open(target, on: transport)
        try await probe.wait { $0.isOpen }
        probe.write("?")
        try await probe.wait { $0.receivedCount == count || $0.end != nil }
        probe.write("?")
        try await probe.waitForEnd()
        let failure = try #require(probe.failure)
        #expect(failure.kind == .protocolViolated && failure.delivery == .maybeSent, "\(failure)")
        return probe.now.received
    }

    @Test("a peer that sends messages of TLS without end or data can't hold the loop", arguments: Setting.new)
    func flood(setting: Setting) async throws {
        try await setting.run { peer in
            try peer.read(1)
            try peer.together { () throws(TLSPeer.Failed) in
                for _ in 0..<32 { try peer.updateKeys(asks: false) }
                try peer.write("a few")
            }
            try peer.read(1)
            try peer.together { () throws(TLSPeer.Failed) in
                for _ in 0..<5_000 { try peer.updateKeys(asks: false) }
                try peer.write("many")
            }
            peer.waitForEnd()
        } _: { transport, target in
            let received = try await Self.receivedOfFlood(after: 5, from: target, on: transport)
            #expect(received == Data("a few".utf8))
        }
    }

    @Test("a peer that updates keys far more often than it sends data is refused", arguments: Setting.new)
    func trickle(setting: Setting) async throws {
        try await setting.run { peer in
            try peer.read(1)
            try peer.together { () throws(TLSPeer.Failed) in
                for _ in 0..<600 {
                    for _ in 0..<2 { try peer.updateKeys(asks: false) }
                    try peer.write("a")
                }
            }
            try peer.read(1)
            try peer.together { () throws(TLSPeer.Failed) in
                for _ in 0..<60 {
                    for _ in 0..<40 { try peer.updateKeys(asks: false) }
                    try peer.write("b")
                }
            }
            peer.waitForEnd()
        } _: { transport, target in
            let received = try await Self.receivedOfFlood(after: 600, from: target, on: transport)
            #expect((601..<630).contains(received.count))
        }
    }

    @Test("a peer that asks for another handshake is refused", arguments: Setting.old)
    func renegotiation(setting: Setting) async throws {
        try await setting.run { peer in
            try peer.read(1)
            try peer.write("before")
            try peer.askForHandshake()
            // OpenSSL's server ends the connection after the refusal.
            peer.waitForEnd()
        } _: { transport, target in
            let probe = ChannelProbe(endsWithPeer: true)
            try probe.open(target, on: transport)
            try await probe.wait { $0.isOpen }
            probe.write("?")
            try await probe.waitForEnd()
            let failure = try #require(probe.failure)
            #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(failure)")
            // handshake_failure
            #expect(failure.message == "the peer ended TLS with alert 40")
            #expect(probe.now.received == Data("before".utf8))
        }
    }
}
