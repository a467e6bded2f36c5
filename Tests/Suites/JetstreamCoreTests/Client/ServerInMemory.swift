import HeliumConcurrency
import HeliumCore
import JetstreamCore
import Synchronization

/// A ``SimpleServer`` behind sockets in memory.
final class ServerInMemory: Sendable {
    private struct State {
        var server = SimpleServer()
        var sockets: [String: LoopbackSocket] = [:]
        var all: [LoopbackSocket] = []
        var connections: [String?] = []
        var isDown = false
    }

    private let state = Guarded(State())
    private let codec = JetstreamCodec()

    var transport: LoopbackTransport {
        LoopbackTransport { [self] socket, token in try accept(socket, token) }
    }

    /// The token of each socket that was opened.
    var connections: [String?] { state.withLock { $0.connections } }

    func with<Result: Sendable>(_ body: (inout SimpleServer) -> Result) -> Result {
        state.withLock { body(&$0.server) }
    }

    /// Breaks all sockets.
    func cut() {
        let sockets = state.withLock { state in
            defer { (state.all, state.sockets) = ([], [:]) }
            return state.all
        }
        for socket in sockets { socket.close(JetstreamClosure(code: 1006)) }
    }

    private func accept(_ socket: LoopbackSocket, _ token: String?) throws {
        let isKnown = state.withLock { state in
            state.connections.append(token)
            state.all.append(socket)
            guard let token else { return true }
            state.sockets[token] = socket
            return state.server.knows(token)
        }
        guard isKnown else {
            let reason = #"{"message":"unknown","type":"session-token-unrecognized"}"#
            return socket.close(JetstreamClosure(code: 4096, reason: reason))
        }
        Task { await serve(socket, token) }
    }

    private func serve(_ socket: LoopbackSocket, _ token: String?) async {
        var token = token
        while let frame = try? await socket.receive() {
            for message in (try? codec.messages(in: frame)) ?? [] {
                let known = token
                let (answers, new) = state.withLock { state in
                    var token = known
                    let answers = state.server.receive(message, token: &token)
                    if let token { state.sockets[token] = token == known ? state.sockets[token] : socket }
                    return (answers.map { ($0.token.flatMap { state.sockets[$0] }, $0) }, token)
                }
                token = new
                for (target, answer) in answers {
                    guard target != nil || answer.token == nil else { continue }
                    try? await (target ?? socket).send(codec.text(of: [answer.message]))
                }
            }
        }
    }
}
