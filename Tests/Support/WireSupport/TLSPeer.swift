internal import CTLSPeer
import Foundation
import HeliumConcurrency
import Synchronization

/// A server of TLS on OpenSSL that does at any time what servers seldom do: tickets, updates of keys, alerts, and ends of
/// every kind. The script of a connection runs on a thread that blocks.
package final class TLSPeer {
    /// The failure of a step of a script, which ends its connection.
    package struct Failed: Error {
        let step: String
    }

    private let peer: OpaquePointer
    private var isHolding = false

    private init(_ peer: OpaquePointer) { self.peer = peer }

    deinit { tls_peer_release(peer) }

    /// Runs `body` with the port of a server, and ends both.
    ///
    /// - Parameters:
    ///   - isOld: Whether the server speaks TLS 1.2, and otherwise 1.3.
    ///   - serve: Serves one connection, which ends with it.
    ///   - body: The test.
    package static func run<Value>(
        certificate: String,
        key: String,
        isOld: Bool = false,
        serve: @escaping @Sendable (TLSPeer) throws -> Void,
        _ body: (Int) async throws -> Value
    ) async throws -> Value {
        var port: Int32 = 0
        let listener = tls_peer_listen(&port)
        guard listener >= 0 else { throw Failed(step: "listening") }
        let ended = Signal<Void>()
        Thread.detachNewThread {
            while let peer = tls_peer_accept(listener, certificate, key, isOld) { try? serve(TLSPeer(peer)) }
            close(listener)
            ended.settle()
        }
        do {
            let value = try await body(Int(port))
            tls_peer_stop(listener)
            try await ended.value()
            return value
        } catch {
            tls_peer_stop(listener)
            throw error
        }
    }
}

extension TLSPeer {
    private func send(_ step: String, _ isDone: Bool) throws(Failed) {
        guard isDone, isHolding || tls_peer_send(peer) else { throw Failed(step: step) }
    }

    /// Waits for exactly `count` bytes.
    @discardableResult
    package func read(_ count: Int) throws(Failed) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes { bytes in
                tls_peer_read(peer, bytes.baseAddress.map { $0 + done }, count - done)
            }
            guard read > 0 else { throw Failed(step: "reading") }
            done += read
        }
        return bytes
    }

    /// Waits for the head of a request.
    package func readHead() throws(Failed) -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) { bytes += try read(1) }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func write(_ bytes: [UInt8]) throws(Failed) {
        try send("writing", bytes.withUnsafeBytes { tls_peer_write(peer, $0.baseAddress, $0.count) })
    }

    package func write(_ text: String) throws(Failed) { try write(Array(text.utf8)) }

    /// Sends what `body` writes in one piece.
    package func together(_ body: () throws(Failed) -> Void) throws(Failed) {
        isHolding = true
        defer { isHolding = false }
        try body()
        _ = tls_peer_send(peer)
    }

    /// Updates the keys of this side.
    ///
    /// - Parameter asks: Whether the client must update its keys too.
    package func updateKeys(asks: Bool) throws(Failed) {
        try send("an update of keys", tls_peer_update_keys(peer, asks))
    }

    package func sendTicket() throws(Failed) { try send("a ticket", tls_peer_make_ticket(peer)) }

    /// Asks for a new handshake, which TLS 1.2 has.
    package func askForHandshake() throws(Failed) { try send("a handshake", tls_peer_renegotiate(peer)) }

    package func notifyClose() throws(Failed) { try send("close_notify", tls_peer_notify_close(peer)) }

    /// Sends the fatal alert bad_record_mac (20).
    package func alert() throws(Failed) { try send("an alert", tls_peer_alert(peer)) }

    /// Sends bytes without TLS.
    package func writePlain(_ text: String) throws(Failed) {
        var text = text
        try send("writing", text.withUTF8 { tls_peer_write_plain(peer, $0.baseAddress, $0.count) })
    }

    /// Waits for the client's end. Returns whether it was close_notify.
    @discardableResult
    package func waitForEnd() -> Bool { tls_peer_ends_orderly(peer) }

    /// Makes the end of the connection a reset.
    package func resetAtEnd() { tls_peer_reset(peer) }
}

// MARK: WebSockets

extension TLSPeer {
    /// Accepts the upgrade request that comes next.
    ///
    /// - Parameter disturb: Called before the response, and within it.
    package func upgrade(disturbedBy disturb: () throws(Failed) -> Void = {}) throws(Failed) {
        let key = WirePeer.field("Sec-WebSocket-Key", in: try readHead()) ?? ""
        try disturb()
        try write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnec")
        try disturb()
        try write("tion: Upgrade\r\nSec-WebSocket-Accept: \(WirePeer.accept(key))\r\n\r\n")
    }
}
