import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// Most of a large body with a length is read straight into its memory.
@Suite("Large bodies of responses", .timeLimit(.minutes(5)))
struct DirectBodyTests {
    private static let size = 1 << 20
    private static let whole = BodyServer.pattern(size)
    private static let other = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother".utf8)

    private static func head(_ length: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }

    private func collect(_ response: TransportResponse) async throws -> Data {
        switch response.body {
        case .collected(let body): body
        case .stream(let stream): try await stream.collect(upTo: .max)
        }
    }

    @Test("a body that is cut anywhere arrives whole", arguments: ConnectionLine.http1, drivers)
    func isCut(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        // Around the sizes that are read at once, and where reading straight begins.
        let parts = [1, 16_383, 16_384, 65_535, 65_536, 65_537, 100_000, 262_144, 300_001]
        try await line.run(driver: driver) { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            while true {
                let part = Int(try await peer.readRequest().target.dropFirst()) ?? 1
                var start = min(part, Self.size)
                // The end of the body in a piece of its own.
                let last = Self.size - min(part, Self.size - start)
                try await wire.flush(Array(Self.head(Self.size).utf8) + Self.whole[..<start])
                while start < last {
                    let end = min(start + max(part, 10_000), last)
                    try await wire.flush(Array(Self.whole[start..<end]))
                    start = end
                }
                if start < Self.size { try await wire.flush(Array(Self.whole[start...])) }
            }
        } _: { caller in
            for part in parts {
                for form in [CallForm.get, .stream] {
                    let response = try await caller.transport.execute(caller.request(form, "/\(part)"))
                    let body = try await collect(response)
                    #expect(body == Self.whole, "\(part), \(form)")
                }
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test(
        "bytes after a body that is read straight into its memory are not the response to the next call",
        arguments: ConnectionLine.http1,
        [CallForm.get, .stream]
    )
    func isFollowed(line: ConnectionLine, form: CallForm) async throws {
        let hasHead = Signal<Void>()
        let isSent = Signal<Void>()
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            if number == 0 {
                _ = try await peer.readRequest()
                try await wire.flush(Array(Self.head(Self.size).utf8) + Self.whole[..<100])
                if form == .stream { try await hasHead.value() }
                // The client may have ended the connection after a part of it.
                try? await wire.flush(Array(Self.whole[100...]) + Self.other)
                isSent.settle()
            }
            try await peer.serve()
        } _: { caller in
            let response = try await caller.transport.execute(caller.request(form, "/large"))
            hasHead.settle()
            let body = try await collect(response)
            #expect(body == Self.whole)
            try await isSent.value()
            for form in CallForm.allCases { await caller.expectOwn(form, "/\(form)", mustMove: true) }
        }
    }

    @Test(
        "a body of the limit is accepted and one byte more is refused",
        arguments: ConnectionLine.http1,
        [0, 1, 1 << 19]
    )
    func limit(line: ConnectionLine, excess: Int) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            guard number == 0 else { return try await peer.serve() }
            _ = try await peer.readRequest()
            // The client ends the connection when the body is too long.
            try? await wire.flush(Array(Self.head(Self.size).utf8) + Self.whole)
            try await peer.serve()
        } _: { caller in
            let request = try caller.request(.get, "/large").with {
                $0.responseBody = .collect(upTo: Self.size - excess)
            }
            if excess == 0 {
                let body = try await collect(caller.transport.execute(request))
                #expect(body == Self.whole)
            } else {
                let failure = await #expect(throws: TransportFailure.self) {
                    try await caller.transport.execute(request)
                }
                #expect(failure?.kind == .ceilingExceeded && failure?.ceiling == .bodyBytes)
            }
            await caller.expectOwn(.get, "/next")
        }
    }

    @Test(
        "a connection that is lost amid a large body fails the call",
        arguments: ConnectionLine.http1,
        [CallForm.get, .stream]
    )
    func isLost(line: ConnectionLine, form: CallForm) async throws {
        let count = 300_000
        for isReset in [false, true] {
            let isRead = Signal<Void>()
            try await line.run { wire, number, ledger in
                let peer = HTTP1Peer(wire, number: number, ledger: ledger)
                guard number == 0 else { return try await peer.serve() }
                _ = try await peer.readRequest()
                try await wire.flush(Array(Self.head(Self.size).utf8) + Self.whole[..<count])
                // A reset may overtake bytes that were not read.
                if form == .stream { try await isRead.value() }
                isReset
                    ? try await wire.reset(isSecure: line.isSecure) : try await wire.end(isSecure: line.isSecure)
            } _: { caller in
                let failure = await #expect(throws: TransportFailure.self) {
                    let response = try await caller.transport.execute(caller.request(form, "/large"))
                    guard case .stream(let stream) = response.body else { return }
                    var body = Data()
                    for try await chunk in stream {
                        body += chunk
                        #expect(body == Self.whole.prefix(body.count))
                        if body.count == count { isRead.settle() }
                    }
                }
                #expect(failure?.kind == .connectionLost && failure?.delivery == .answered, "\(failure as Any)")
                await caller.expectOwn(.get, "/next")
            }
        }
    }

    @Test("a consumer that goes away amid a large body ends its connection", arguments: ConnectionLine.http1)
    func isAbandoned(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            guard number == 0 else { return try await peer.serve() }
            _ = try await peer.readRequest()
            try await wire.flush(Self.head(1 << 40))
            // Until the client ends the connection.
            while true { try await wire.flush(Array(Self.whole)) }
        } _: { caller in
            var count = 0
            for try await chunk in try await caller.transport.execute(caller.request(.stream, "/endless")).stream {
                count += chunk.count
                if count > 4 << 20 { break }
            }
            await caller.expectOwn(.get, "/next", mustMove: true)
        }
    }
}
