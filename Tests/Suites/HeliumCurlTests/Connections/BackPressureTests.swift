import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Consumers that stop reading", .timeLimit(.minutes(5)))
struct BackPressureTests {
    /// More than the buffers of the stream and of the system hold.
    private static let count = SocketBuffers.overflowingSize
    private static let body = Array(BodyServer.pattern(count))

    @Test(
        "a consumer that stops reading stops the server, and goes on without loss",
        .tags(.alone),
        arguments: ConnectionLine.http1,
        drivers
    )
    func stops(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        let sent = Guarded(0)
        let whole = Self.body
        try await line.run(driver: driver) { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            _ = try await peer.readRequest()
            try await wire.flush("HTTP/1.1 200 OK\r\nContent-Length: \(Self.count)\r\n\r\n")
            for start in stride(from: 0, to: Self.count, by: 64 << 10) {
                try await wire.flush(Array(whole[start..<(start + 64 << 10)]))
                sent.withLock { $0 += 64 << 10 }
            }
            try await peer.serve()
        } _: { caller in
            let request = try caller.request(.stream, "/large").with { $0.timeouts.idle = .seconds(1) }
            let stream = try await caller.transport.execute(request).stream
            var chunks = stream.makeAsyncIterator()
            var body = try #require(await chunks.next())
            try await eventually {
                let before = sent.withLock(\.self)
                try await Task.sleep(for: .milliseconds(350))
                return sent.withLock(\.self) == before
            }
            // The time of a pause does not count.
            try await Task.sleep(for: .milliseconds(1000))
            #expect(sent.withLock(\.self) < Self.count)
            while let chunk = try await chunks.next() { body += chunk }
            #expect(body == Data(whole))
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test(
        "a consumer that stops reading stops its stream of HTTP/2 and delays no other",
        arguments: ConnectionLine.http2,
        drivers
    )
    func stopsStream(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        let body = Self.body[..<(4 << 20)]
        let isOver = Guarded(false)
        try await line.run(driver: driver) { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            let large = try await peer.nextRequest()
            try await peer.sendHead(large.stream)
            // Others are served only while this stream has no window.
            try await peer.sendBody(large.stream, Array(body)) { event in
                guard case .whole(let request) = event else { return }
                peer.process(request)
                try await peer.respond(to: request)
            }
            isOver.withLock { $0 = true }
            try await peer.serve()
        } _: { caller in
            let request = try caller.request(.stream, "/large").with { $0.timeouts.idle = .seconds(1) }
            let stream = try await caller.transport.execute(request).stream
            let source = try #require(stream.source as? StreamSource)
            try await eventually { source.isPaused }
            for number in 0..<20 {
                await caller.expectOwn(CallForm.allCases[number % CallForm.allCases.count], "/\(number)")
            }
            // The time of a pause does not count.
            try await Task.sleep(for: .milliseconds(1100))
            #expect(!isOver.withLock(\.self) && source.isPaused)
            let whole = try await stream.collect(upTo: .max)
            #expect(whole == Data(body))
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }
}
