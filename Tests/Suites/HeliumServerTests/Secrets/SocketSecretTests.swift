import Foundation
import HeliumServer
import HeliumServerTesting
import Logging
import ServerSupport
import Testing

@Suite("Secrets in answers of sockets", .timeLimit(.minutes(5)))
struct SocketSecretTests {
    private static let secret = SecretCalls.unknown

    /// The frames of a Cosm client whose key is not known to the server, or that are wrong.
    private static let frames = [
        #"{"method":"get","resource":"/feeds/1","headers":{"X-ApiKey":"\#(secret)"},"token":"1"}"#,
        #"{"method":"subscribe","resource":"/feeds/1","params":{"key":"\#(secret)"}}"#,
        #"{"method":"put","resource":"/feeds/1","headers":{"X-ApiKey":"\#(secret)"},"body":{"key":"\#(secret)"}}"#,
        #"{"method":"steal","resource":"/feeds/1","headers":{"X-ApiKey":"\#(secret)"}}"#,
        #"{"method":"get","headers":{"X-ApiKey":"\#(secret)"}}"#, #"["\#(secret)"]"#, #"{"key":"\#(secret)"}}"#,
    ]

    /// Runs a server, and checks its log and its list of requests at the end.
    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        let lines = RecordingLog.Lines()
        let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
        try await withEmbeddedServer(logger: logger) { running in
            try await body(running)
            let shown = lines.all.joined(separator: "\n") + running.requests.description
            #expect(!shown.contains(Self.secret), "\(shown)")
        }
    }

    @Test("no reply of Cosm's sockets has the key of the client", arguments: frames)
    func cosm(frame: String) async throws {
        try await withServer { running in
            let port = running.ready.http.port ?? 0
            let socket = try await WebSocketClient(port: port, path: "/?key=\(Self.secret)")
            try await socket.send(frame)
            let answer = try await socket.frame()
            #expect(!answer.data.isEmpty && !answer.text.contains(Self.secret), "\(answer.text)")

            let tcp = try RawConnection(port: Int(running.ready.cosm.tcp.split(separator: ":").last ?? "") ?? 0)
            // An object that ends the connection comes last.
            try await tcp.send(frame + "\n?\n")
            let text = String(decoding: try await tcp.readToEnd(), as: UTF8.self)
            #expect(!text.isEmpty && !text.contains(Self.secret), "\(text)")
        }
    }

    @Test("no refusal of an upgrade has the credentials of the client")
    func upgrades() async throws {
        try await withServer { running in
            let targets = [
                "/stream/user?access_token=\(Self.secret)", "/stream/app/1?access_token=\(Self.secret)",
                "/v1/app?access_token=\(Self.secret)&key=\(Self.secret)", "/v2/keys/\(Self.secret)?key=\(Self.secret)",
                "/stream/0/users/me?access_token=\(Self.secret)",
                "http://user:\(Self.secret)@host/v2/keys/\(Self.secret)",
                "/nowhere?session=\(Self.secret)",
            ]
            for target in targets {
                let connection = try RawConnection(port: running.ready.http.port ?? 0)
                let handshake = WebSocketClient.handshake(target).dropLast(2)
                try await connection.send(
                    "\(handshake)Authorization: Bearer \(Self.secret)\r\nCookie: id=\(Self.secret)\r\n\r\n"
                )
                let answer = try await connection.answer()
                let shown = answer.fields.map { "\($0): \($1)" }.joined(separator: "\n") + answer.text
                #expect(answer.status >= 400 && !shown.contains(Self.secret), "\(target): \(answer.status) \(shown)")
            }
        }
    }

    @Test("no refusal of Jetstream has the token and the parameters of the client")
    func jetstream() async throws {
        try await withServer { running in
            let port = running.ready.http.port ?? 0
            let rows: [(query: String, message: String?)] = [
                ("X-Jetstream-sessiontoken=\(Self.secret)", nil),
                ("X-Jetstream-token=\(Self.secret)", #"{"type":"Other","token":"\#(Self.secret)"}"#),
                ("X-Jetstream-token=\(Self.secret)", #"{"token":"\#(Self.secret)"#),
                (
                    "X-Jetstream-token=\(Self.secret)",
                    #"{"type":"SessionCreate","index":0,"version":"\#(Self.secret)","params":{"token":"\#(Self.secret)"}}"#
                ),
            ]
            for (query, message) in rows {
                let socket = try await WebSocketClient(port: port, path: "/jetstream?\(query)")
                if let message { try await socket.send(message) }
                let answer = try await socket.frame()
                #expect(!answer.data.isEmpty && !answer.text.contains(Self.secret), "\(answer.text)")
            }
        }
    }
}
