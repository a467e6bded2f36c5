import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumWebSocket
import Testing
import WireSupport

@Suite("Rules of WebSocket frames over sockets", .timeLimit(.minutes(5)))
struct FrameRuleTests {
    @Test("the client keeps the rules of WebSocket frames")
    func client() async throws {
        var options = WebSocketOptions.quiet
        options.limits.frameBytes = FrameRule.limit
        options.limits.messageBytes = FrameRule.limit
        let rules = FrameRule.all
        let outcomes = Box<[String: UInt16?]>()
        outcomes.set([:])
        try await WireServer.run { [rules] peer in
            let head = try await peer.upgrade()
            guard let number = head.split(separator: " ").dropFirst().first.flatMap({ Int($0.dropFirst()) }) else {
                return
            }
            let rule = rules[number]
            let code = try await peer.outcome(
                of: rule,
                isMasked: false,
                expectsClose: rule.closeCode(refusesBinary: false) != nil
            )
            outcomes.update { $0?[rule.name] = code }
        } _: { server async throws in
            for number in rules.indices {
                let socket = try await WebSocket.connect(
                    to: server.url("ws://127.0.0.1:\(server.port)/\(number)"),
                    options: options
                )
                do { for try await _ in socket.messages {} } catch {}
                await server.waitForEnds()
            }
        }
        for rule in rules {
            #expect(outcomes.value?[rule.name] == .some(rule.closeCode(refusesBinary: false)), "\(rule.name)")
        }
    }

    enum LiveSocket: CaseIterable {
        case cosm, userStream, pnutUserStream

        func port(_ ready: ReadyInformation) -> Int {
            (self == .cosm ? ready.cosm.webSocket : ready.appNet.userStream).port ?? 0
        }

        func target(_ ready: ReadyInformation) -> String {
            switch self {
            case .cosm: "/"
            case .userStream: "/stream/user?connection_id=rules&access_token=\(ready.appNet.users.first?.token ?? "")"
            case .pnutUserStream: "/v1/user?connection_id=rules&access_token=\(ready.appNet.users.first?.token ?? "")"
            }
        }
    }

    @Test("the server's live sockets keep the rules of WebSocket frames", arguments: LiveSocket.allCases)
    func server(_ socket: LiveSocket) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.cosm.maxima.liveObjectBytes = FrameRule.limit
        try await withEmbeddedServer(configuration) { running in
            for rule in FrameRule.all {
                let expected = rule.closeCode(refusesBinary: true)
                let code = try await WirePeer.connect(to: socket.port(running.ready)) { peer in
                    let head = try await peer.askForUpgrade(socket.target(running.ready))
                    #expect(head.hasPrefix("HTTP/1.1 101"))
                    let code = try await peer.outcome(of: rule, isMasked: true, expectsClose: expected != nil)
                    // Of its own accord, and with nothing after it (RFC 6455 §5.5.1).
                    if code != nil { try await peer.readToEnd() }
                    return code
                }
                #expect(code == expected, "\(rule.name)")
            }
        }
    }
}
