/// The server's side of HTTP/1.1 on one connection, whose script decides what it sends.
package final class HTTP1Peer {
    package let wire: WirePeer
    /// The number of the connection, from 0.
    package let number: Int
    private let ledger: DeliveryLedger

    package init(_ wire: WirePeer, number: Int, ledger: DeliveryLedger) {
        self.wire = wire
        self.number = number
        self.ledger = ledger
    }

    /// Reads the head of a request. Its body is still to come, and the ledger does not have it.
    package func readHead() async throws -> (request: WireRequest, head: String) {
        let head = try await wire.readHead()
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count == 3 else { throw WirePeer.Ended() }
        return (WireRequest(method: String(words[0]), target: String(words[1]), connection: number), head)
    }

    /// Reads a whole request and adds it to the ledger.
    package func readRequest() async throws -> WireRequest {
        var (request, head) = try await readHead()
        request.body = try await readBody(head: head)
        ledger.add(request)
        return request
    }

    /// Reads the body that the head of a request announces.
    package func readBody(head: String) async throws -> [UInt8] {
        if let length = WirePeer.field("Content-Length", in: head).flatMap({ Int($0) }) {
            return try await wire.read(length)
        }
        return WirePeer.field("Transfer-Encoding", in: head) == "chunked" ? try await readChunks() : []
    }

    private func readChunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while let count = Int(try await wire.read(until: "\r\n").dropLast(), radix: 16), count > 0 {
            body += try await wire.read(count)
            _ = try await wire.read(2)
        }
        _ = try await wire.read(until: "\r\n")
        return body
    }

    /// The response to a request that says which request it is for.
    package static func echo(_ request: WireRequest, fields: String = "") -> String {
        let body = request.method == "HEAD" ? "" : request.echo
        return "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(request.echo.utf8.count)\r\n\r\n\(body)"
    }

    /// Responds to each request with its echo until the client ends the connection.
    package func serve() async throws {
        while true { try await wire.write(Self.echo(readRequest())) }
    }
}
