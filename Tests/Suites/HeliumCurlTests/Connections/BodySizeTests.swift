import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// A connection reads 256 KiB in a turn of the loop. What is left then causes no event, so the loop must not wait for one.
@Suite("Bodies of the size of a turn's bytes", .timeLimit(.minutes(5)))
struct BodySizeTests {
    private static let sizes = [64, 128, 256, 512, 1024].flatMap { [$0 << 10, ($0 << 10) - 1, ($0 << 10) + 1] }

    private static func head(_ length: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }

    @Test(
        "a body ends at once without other traffic, whatever its size",
        arguments: ConnectionLine.all,
        drivers
    )
    func ends(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await line.run(driver: driver) { wire, number, ledger in
            if try await HTTP2Peer.isChosen(on: wire) {
                let peer = HTTP2Peer(wire, number: number, ledger: ledger)
                try await peer.start()
                while true {
                    let request = try await peer.nextRequest()
                    try await peer.sendHead(request.stream)
                    let size = Int(request.target.dropFirst()) ?? 0
                    try await peer.sendBody(request.stream, Array(BodyServer.pattern(size)))
                }
            }
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            while true {
                let size = Int(try await peer.readRequest().target.dropFirst()) ?? 0
                try await wire.flush(Array(Self.head(size).utf8) + BodyServer.pattern(size))
            }
        } _: { caller in
            for size in Self.sizes {
                // The head and the body together, and the body alone.
                for count in [size, size - Self.head(size).utf8.count] {
                    for form in [CallForm.get, .stream] { try await expectBody(count, form, caller) }
                }
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    private func expectBody(_ count: Int, _ form: CallForm, _ caller: Caller) async throws {
        // Nothing wakes the loop up but the limit by which the call fails.
        let request = try caller.request(form, "/\(count)").with {
            $0.timeouts.firstByte = nil
            $0.timeouts.idle = nil
        }
        let response = try await caller.transport.execute(request)
        let body: Data =
            switch response.body {
            case .collected(let body): body
            case .stream(let stream): try await stream.collect(upTo: .max)
            }
        #expect(body == BodyServer.pattern(count), "\(count) bytes, \(form)")
    }

    @Test(
        "bytes after a response that fills a turn are not the response to the next call",
        arguments: ConnectionLine.http1,
        drivers
    )
    func isFollowed(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await line.prepare { line in
            for (form, isWhole) in [(CallForm.get, true), (.get, false), (.stream, true), (.stream, false)] {
                let isSent = Signal<Void>()
                try await line.run(driver: driver) { wire, number, ledger in
                    let peer = HTTP1Peer(wire, number: number, ledger: ledger)
                    if number == 0 {
                        _ = try await peer.readRequest()
                        let head = Self.head(256 << 10)
                        let size = isWhole ? 256 << 10 : (256 << 10) - head.utf8.count
                        let stray = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother".utf8)
                        // The client may have ended the connection after a part of it.
                        try? await wire.flush(Array(Self.head(size).utf8) + BodyServer.pattern(size) + stray)
                        isSent.settle()
                    }
                    try await peer.serve()
                } _: { caller in
                    let head = Self.head(256 << 10)
                    try await expectBody(isWhole ? 256 << 10 : (256 << 10) - head.utf8.count, form, caller)
                    try await isSent.value()
                    for form in CallForm.allCases { await caller.expectOwn(form, "/\(form)", mustMove: true) }
                }
            }
        }
    }
}
