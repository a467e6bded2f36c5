import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Synchronization
import TestSupport
import Testing

@Suite("Large bodies of requests", .timeLimit(.minutes(5)))
struct LargeUploadTests {
    /// A source whose bytes are there at once, except at times.
    private final class HalfReadySource: ImmediateUploadSource {
        private let count: Int
        private let breaksAt: Int
        /// The number of bytes that were given, and the number of calls.
        private let state = Guarded((given: 0, calls: 0))
        private let ended = Signal<Void>()

        init(_ count: Int, breaksAt: Int = .max) {
            self.count = count
            self.breaksAt = breaksAt
        }

        var isCancelled: Bool { ended.isSettled }

        func readNow(into room: UnsafeMutableRawBufferPointer) throws(UploadFailure) -> Int? {
            let wanted = state.withLock { state in
                state.calls += 1
                return state.calls % 3 == 1 ? nil : min(room.count, count - state.given, 70_000)
            }
            guard let wanted, wanted > 0 else { return nil }
            let data = try take(wanted)
            data.copyBytes(to: room)
            return data.count
        }

        func next() async throws -> Data? {
            await Task.yield()
            let rest = state.withLock { count - $0.given }
            return rest == 0 ? nil : try take(min(rest, 30_000))
        }

        private func take(_ wanted: Int) throws(UploadFailure) -> Data {
            let start = state.withLock { state in
                defer { state.given += wanted }
                return state.given
            }
            guard start < breaksAt else { throw UploadFailure("the source is broken") }
            return BodyServer.pattern(wanted, at: start)
        }

        func cancel() { ended.settle() }

        func body(length: Int) -> UploadBody {
            UploadBody(length: Int64(length), isReplayable: false) { self }
        }
    }

    private static let sizes = [16_383, 16_384, 65_536, 122_880, 262_144, 262_145, 3_000_001]

    @Test("a body in memory arrives whole", arguments: sizes, drivers)
    func inMemory(size: Int, driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.read(chunk: 100_000, pause: .milliseconds(1), slowBytes: 1 << 20)) { server in
            try await withTransport(driver) { transport in
                // A slice, whose first index is not 0.
                let body = (Data(count: 7) + BodyServer.pattern(size)).dropFirst(7)
                for _ in 0..<2 {
                    let request = try TransportRequest(.post, to: server.url).with { $0.body = body }
                    let text = try await transport.execute(request).text
                    #expect(text == "\(size)")
                }
                #expect(server.received.count == 2 && server.received.allSatisfy(\.isPattern))
                #expect(server.connectionCount == 1)
            }
        }
    }

    @Test("a body from a file arrives whole", arguments: sizes, drivers)
    func fromFile(size: Int, driver: CurlTransport.Configuration.Driver) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("body").path
            try BodyServer.pattern(size).write(to: URL(fileURLWithPath: path))
            try await BodyServer.run(.read(chunk: 100_000, pause: .milliseconds(1), slowBytes: 1 << 20)) { server in
                try await withTransport(driver) { transport in
                    for _ in 0..<2 {
                        let request = try TransportRequest(.post, to: server.url).with {
                            $0.upload = UploadBody(fileAtPath: path)
                        }
                        let text = try await transport.execute(request).text
                        #expect(text == "\(size)")
                    }
                    #expect(server.received.count == 2 && server.received.allSatisfy(\.isPattern))
                    #expect(server.connectionCount == 1)
                }
            }
        }
    }

    @Test("a source that has to be waited for at times arrives whole and is released", arguments: sizes, drivers)
    func waits(size: Int, driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport(driver) { transport in
                let source = HalfReadySource(size)
                let request = try TransportRequest(.post, to: server.url).with { $0.upload = source.body(length: size) }
                let text = try await transport.execute(request).text
                #expect(text == "\(size)")
                #expect(server.received.first?.isPattern == true)
                try await eventually { source.isCancelled }
            }
        }
    }

    @Test(
        "a source that fails, or has another number of bytes than announced, fails its call",
        arguments: [(1 << 20, Int.max, 1 << 21), (1 << 20, 500_000, 1 << 20), (1 << 20, 0, 1 << 20)]
    )
    func fails(count: Int, breaksAt: Int, length: Int) async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                let source = HalfReadySource(count, breaksAt: breaksAt)
                let request = try TransportRequest(.post, to: server.url).with {
                    $0.upload = source.body(length: length)
                }
                let failure = await #expect(throws: TransportFailure.self) { try await transport.execute(request) }
                #expect(failure?.kind == .requestBodyFailed, "\(failure as Any)")
                #expect(server.received.allSatisfy { !$0.isComplete })
                try await eventually { source.isCancelled }
            }
        }
    }

    @Test("a file that has grown or shrunk since the request was made fails the call", arguments: [-1, 1])
    func changes(by difference: Int) async throws {
        let size = 1 << 20
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("body").path
            try BodyServer.pattern(size).write(to: URL(fileURLWithPath: path))
            let upload = UploadBody(fileAtPath: path)
            try BodyServer.pattern(size + difference).write(to: URL(fileURLWithPath: path))
            try await BodyServer.run(.read()) { server in
                try await withTransport { transport in
                    let request = try TransportRequest(.post, to: server.url).with { $0.upload = upload }
                    let failure = await #expect(throws: TransportFailure.self) { try await transport.execute(request) }
                    #expect(failure?.kind == .requestBodyFailed && failure?.delivery == .notSent)
                }
            }
        }
    }

    @Test("no more of a large body is sent after the response to its head", arguments: drivers)
    func stops(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.answerEarly(413)) { server in
            try await withTransport(driver) { transport in
                let body = BodyServer.pattern(64 << 20)
                let request = try TransportRequest(.post, to: server.url).with { $0.body = body }
                let response = try await transport.execute(request)
                #expect(response.head.status == 413)
            }
        }
    }
}
