import Foundation
import HeliumKit
import HeliumWebSocket

@testable import TestSupport

/// One of the many that open WebSockets, one at a time.
struct SocketWorker {
    var random: SeededRandom
    let sites: [SocketSite]
    let clients: [Helium]
    let ledger: Ledger

    /// Opens a WebSocket, exchanges one message, and ends it in some way.
    mutating func connect() async {
        let index = random.below(sites.count)
        // Half of them belong to a client. The others share a transport that exists while one of them does.
        let dial = Dial(site: sites[index], client: random.oneIn(2) ? clients[index] : nil, ledger: ledger)
        switch random.below(4) {
        case 0: await dial.run("closed") { await $0.close() }
        case 1: await dial.run("released") { _ in }
        case 2: await dial.run("cut") { for try await _ in $0.messages {} }
        default:
            // At any time, from before it begins.
            let pause = Duration.microseconds(random.below(10_000))
            let task = Task { await dial.run("cancelled") { for try await _ in $0.messages {} } }
            try? await Task.sleep(for: pause)
            task.cancel()
            await task.value
        }
    }
}

private struct Dial: Sendable {
    let site: SocketSite
    let client: Helium?
    let ledger: Ledger

    /// Opens the WebSocket, sends a request, waits for the response, and ends the connection by `end` and by releasing it.
    func run(_ name: String, _ end: (WebSocket) async throws -> Void) async {
        await ledger.run("WebSocket, \(name)") {
            let socket = try await open()
            try await socket.send(.text(site.request))
            var messages = socket.messages.makeAsyncIterator()
            guard try await messages.next() != nil else { return }
            try await end(socket)
        }
    }

    private func open() async throws -> WebSocket {
        if let client {
            let path = site.url.path
            return try await client.webSocket(path.isEmpty ? "/" : path).retry(.never).connect()
        }
        var options = WebSocketOptions()
        options.tls.certificateAuthorityFile = site.authority
        return try await WebSocket.connect(to: site.url, options: options)
    }
}
