import Foundation
import Synchronization

/// Answers one request on a free port of this machine: the sample that shows a whole program gets a whole network.
final class LoopbackServer: Sendable {
    private let listener: Int32
    private let received = Mutex("")

    private init(listener: Int32) { self.listener = listener }

    /// Runs `body` with the server's URL and what it has received so far.
    static func answer(_ json: String, _ body: (URL, () -> String) async throws -> Void) async throws {
        #if os(Linux)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isListening, let url = URL(string: "http://127.0.0.1:\(address.sin_port.bigEndian)") else {
            throw Failure("no port to listen on")
        }
        let server = LoopbackServer(listener: listener)
        Thread.detachNewThread { server.serve(json) }
        // Ends a wait for a connection that never came.
        defer { shutdown(listener, Int32(SHUT_RDWR)) }
        try await body(url) { server.received.withLock { $0 } }
    }

    private func serve(_ json: String) {
        let connection = accept(listener, nil, nil)
        defer { close(listener) }
        guard connection >= 0 else { return }
        defer { close(connection) }
        var request = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !request.contains("\r\n\r\n") {
            let count = read(connection, &bytes, bytes.count)
            guard count > 0 else { return }
            request += String(decoding: bytes[..<count], as: UTF8.self)
        }
        received.withLock { $0 = request }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
        let answer = Array((head + json).utf8)
        _ = write(connection, answer, answer.count)
    }
}
