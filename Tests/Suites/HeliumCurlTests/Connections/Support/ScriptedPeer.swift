import Testing
import WireSupport

/// The server's side of either protocol, for scripts that hold for both.
struct ScriptedPeer {
    private enum Kind {
        case http1(HTTP1Peer)
        case http2(HTTP2Peer)
    }

    private let kind: Kind
    private let ledger: DeliveryLedger

    /// Runs a script on a connection, by the protocol that the client has begun.
    static func run(
        _ wire: WirePeer,
        _ number: Int,
        _ ledger: DeliveryLedger,
        settings: [(UInt16, UInt32)] = [],
        _ script: (ScriptedPeer) async throws -> Void
    ) async throws {
        guard try await HTTP2Peer.isChosen(on: wire) else {
            return try await script(Self(kind: .http1(HTTP1Peer(wire, number: number, ledger: ledger)), ledger: ledger))
        }
        let peer = HTTP2Peer(wire, number: number, ledger: ledger)
        try await peer.start(settings: settings)
        try await script(Self(kind: .http2(peer), ledger: ledger))
    }

    var wire: WirePeer {
        switch kind {
        case .http1(let peer): peer.wire
        case .http2(let peer): peer.wire
        }
    }

    /// The peer of HTTP/2, if it is one.
    var http2: HTTP2Peer? {
        if case .http2(let peer) = kind { peer } else { nil }
    }

    /// The head of a request, and its fields over HTTP/1.1.
    struct Head {
        var request: WireRequest
        var text = ""
        /// Whether no body follows, as far as HTTP/2 says it with the head.
        var isWhole = false
    }

    /// Reads the head of a request, which the ledger does not have.
    func readHead() async throws -> Head {
        switch kind {
        case .http1(let peer):
            let (request, head) = try await peer.readHead()
            return Head(request: request, text: head)
        case .http2(let peer):
            while true {
                switch try await peer.next() {
                case .head(let request): return Head(request: request)
                case .whole(let request): return Head(request: request, isWhole: true)
                default: continue
                }
            }
        }
    }

    /// Reads a request whose head was read to its end, and adds it to the ledger.
    func readBody(of head: Head) async throws -> WireRequest {
        switch kind {
        case .http1(let peer):
            var request = head.request
            request.body = try await peer.readBody(head: head.text)
            ledger.add(request)
            return request
        case .http2(let peer):
            guard head.isWhole else { return try await peer.nextRequest() }
            ledger.add(head.request)
            return head.request
        }
    }

    /// Reads a whole request and adds it to the ledger.
    func readRequest() async throws -> WireRequest {
        switch kind {
        case .http1(let peer): try await peer.readRequest()
        case .http2(let peer): try await peer.nextRequest()
        }
    }

    /// Expects that nothing of a request's body comes any more.
    func expectNoBody(of head: Head) async throws {
        switch kind {
        case .http1:
            let rest = try await wire.readSome()
            #expect(rest == nil)
        case .http2(let peer):
            // The next request comes after what would be sent of this one.
            while true {
                switch try await peer.next() {
                case .whole(let request):
                    #expect(request.stream != head.request.stream)
                    guard request.stream != head.request.stream else { return }
                    peer.process(request)
                    return try await peer.respond(to: request)
                default: continue
                }
            }
        }
    }

    func sendInterim(_ status: Int, to head: Head) async throws {
        switch kind {
        case .http1(let peer): try await peer.wire.flush("HTTP/1.1 \(status) Interim\r\n\r\n")
        case .http2(let peer): try await peer.sendHead(head.request.stream, status: status)
        }
    }

    func sendHead(_ status: Int, length: Int, to head: Head) async throws {
        switch kind {
        case .http1(let peer):
            try await peer.wire.flush("HTTP/1.1 \(status) Status\r\nContent-Length: \(length)\r\n\r\n")
        case .http2(let peer): try await peer.sendHead(head.request.stream, status: status)
        }
    }

    /// Sends a part of a body, over HTTP/1.1 within the announced length.
    func sendBody(_ text: String, of head: Head, isLast: Bool = true) async throws {
        switch kind {
        case .http1(let peer): try await peer.wire.flush(text)
        case .http2(let peer): try await peer.sendData(head.request.stream, text, isLast: isLast)
        }
    }

    /// Responds to a request with its echo.
    func respond(to request: WireRequest) async throws {
        switch kind {
        case .http1(let peer): try await peer.wire.flush(HTTP1Peer.echo(request))
        case .http2(let peer): try await peer.respond(to: request)
        }
    }

    /// Responds to each request with its echo until the client ends the connection.
    func serve() async throws {
        while true { try await respond(to: readRequest()) }
    }
}
