import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumServerKit
import HeliumServerTesting
import HeliumWebSocket
import Testing
import WireSupport

@Suite("Ends of WebSockets over TLS", .timeLimit(.minutes(5)))
struct SecureEndTests {
    /// The moment in which a peer ends a connection.
    enum Moment: CaseIterable, Sendable {
        case beforeResponse
        case withinResponse
        case betweenFrames
        case withinFrame
        case withinMessage

        var isConnecting: Bool { self == .beforeResponse || self == .withinResponse }

        /// Serves a connection up to the moment.
        func reach(on peer: TLSPeer) throws {
            switch self {
            case .beforeResponse: _ = try peer.readHead()
            case .withinResponse:
                _ = try peer.readHead()
                try peer.write("HTTP/1.1 101 Switching Protocols\r\nUpgr")
            case .betweenFrames, .withinFrame, .withinMessage:
                try peer.upgrade()
                try peer.write(WirePeer.frame(1, Array("hello".utf8)))
                // The client's text `go`: a head of two bytes, the mask, and two bytes.
                try peer.read(8)
                let frame = WirePeer.frame(1, Array("half".utf8), isFinal: self == .withinFrame)
                if self == .withinFrame { try peer.write(Array(frame.dropLast(2))) }
                if self == .withinMessage { try peer.write(frame) }
            }
        }
    }

    /// A way in which a peer ends a connection.
    enum Ending: CaseIterable, Sendable {
        case closeNotify
        /// TCP ends, and TLS did not.
        case cut
        case reset
        case alert
        /// Bytes that are no TLS.
        case noTLS
        /// A request for another handshake, which TLS 1.2 has. Its refusal makes OpenSSL's server end the connection.
        case renegotiation

        /// The fatal alert that the peer sends; `nil` if there is none.
        var alert: Int? {
            switch self {
            case .alert: 20
            case .renegotiation: 40
            case .closeNotify, .cut, .reset, .noTLS: nil
            }
        }

        func happen(on peer: TLSPeer) throws {
            switch self {
            case .closeNotify:
                try peer.notifyClose()
                peer.waitForEnd()
            case .cut: break
            case .reset: peer.resetAtEnd()
            case .alert: try peer.alert()
            case .noTLS: try peer.writePlain("HTTP/1.1 400 Bad Request\r\n\r\n")
            case .renegotiation:
                try peer.askForHandshake()
                peer.waitForEnd()
            }
        }
    }

    private func run(
        isOld: Bool,
        serve: @escaping @Sendable (TLSPeer) throws -> Void,
        _ body: (URL, WebSocketOptions) async throws -> Void
    ) async throws {
        try await ThrowawayCertificates.with { try await run(isOld: isOld, $0, serve: serve, body) }
    }

    private func run(
        isOld: Bool,
        _ certificates: ThrowawayCertificates,
        serve: @escaping @Sendable (TLSPeer) throws -> Void,
        _ body: (URL, WebSocketOptions) async throws -> Void
    ) async throws {
        try await TLSPeer.run(
            certificate: certificates.server.certificatePath,
            key: certificates.server.keyPath,
            isOld: isOld,
            serve: serve
        ) { port in
            var options = WebSocketOptions.quiet
            options.tls.certificateAuthorityFile = certificates.authorityPath
            try await body(try #require(URL(string: "wss://localhost:\(port)/live")), options)
        }
    }

    @Test(
        "each way in which a peer ends TLS, at each moment, is an error of its kind with its delivery state",
        arguments: [false, true],
        Moment.allCases
    )
    func ends(isOld: Bool, moment: Moment) async throws {
        try await ThrowawayCertificates.with { certificates in
            for ending in Ending.allCases where isOld || ending != .renegotiation {
                try await run(isOld: isOld, certificates) { peer in
                    try moment.reach(on: peer)
                    try ending.happen(on: peer)
                } _: { url, options in
                    try await check(ending, at: moment, url, options)
                }
            }
        }
    }

    private func check(_ ending: Ending, at moment: Moment, _ url: URL, _ options: WebSocketOptions) async throws {
        if moment.isConnecting {
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .connectionFailed && error.delivery == .maybeSent, "\(ending): \(error)")
            return
        }
        let socket = try await WebSocket.connect(to: url, options: options)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("hello"), "\(ending)")
        try await socket.send(.text("go"))
        let error = try await failure { try await messages.next() }
        #expect(error.kind == .connectionLost && error.delivery == .answered, "\(ending): \(error)")
        let alert = ending.alert.map { "the peer ended TLS with alert \($0)" }
        #expect(error.message == alert || alert == nil && !error.message.contains("alert"), "\(ending): \(error)")
        #expect(socket.closure?.code == .abnormal, "\(ending)")
        let late = try await failure { try await socket.send(.text("late")) }
        #expect(late.kind == .connectionLost, "\(ending): \(late)")
    }

    @Test("tickets and updates of keys before and within the response, and within a frame, change nothing")
    func withinFrame() async throws {
        try await run(isOld: false) { peer in
            try peer.upgrade { () throws(TLSPeer.Failed) in
                try peer.sendTicket()
                try peer.updateKeys(asks: true)
            }
            let frame = WirePeer.frame(1, Array("a whole message".utf8))
            for _ in 1...5 {
                try peer.write(Array(frame.prefix(4)))
                try peer.sendTicket()
                try peer.updateKeys(asks: true)
                try peer.together { () throws(TLSPeer.Failed) in
                    try peer.sendTicket()
                    try peer.write(Array(frame.dropFirst(4)))
                    try peer.updateKeys(asks: false)
                }
                // The client's text `go`.
                try peer.read(8)
            }
            peer.waitForEnd()
        } _: { url, options in
            let socket = try await WebSocket.connect(to: url, options: options)
            var messages = socket.messages.makeAsyncIterator()
            for _ in 1...5 {
                #expect(try await messages.next() == .text("a whole message"))
                try await socket.send(.text("go"))
            }
            #expect(socket.closure == nil)
        }
    }

    @Test("a WebSocket that is closed ends TLS with close_notify", arguments: [false, true])
    func closed(isOld: Bool) async throws {
        let isOrderly = Signal<Bool>()
        try await run(isOld: isOld) { peer in
            try peer.upgrade()
            // The client's close frame with a code, and the same code.
            try peer.read(8)
            try peer.write(WirePeer.frame(8, [3, 232]))
            try peer.notifyClose()
            isOrderly.settle(.success(peer.waitForEnd()))
        } _: { url, options in
            let socket = try await WebSocket.connect(to: url, options: options)
            #expect(await socket.close().wasClean)
            #expect(try await isOrderly.value())
        }
    }
}
