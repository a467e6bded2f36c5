import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Uploads and the ends of their connections", .timeLimit(.minutes(5)))
struct UploadEndTests {
    /// A source that gives a part and then waits for what the test decides.
    private final class GatedSource: UploadSource {
        struct Broken: Error {}

        let gate = Signal<Data>()
        private let parts: Guarded<[Data]>
        private let count = Guarded(0)

        init(_ first: Data) { parts = Guarded([first]) }

        func next() async throws -> Data? {
            if let part = parts.withLock({ $0.popLast() }) { return part }
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return number == 0 ? try await gate.value() : nil
        }

        func cancel() {}

        func body(length: Int64?) -> UploadBody { UploadBody(length: length, isReplayable: false) { self } }
    }

    private func upload(
        _ caller: Caller,
        _ source: GatedSource,
        length: Int64? = nil,
        _ change: @escaping @Sendable (inout TransportRequest) -> Void = { _ in }
    ) async throws -> Caller.Reply {
        try await caller.send(.post, "/upload") {
            $0.body = nil
            $0.upload = source.body(length: length)
            change(&$0)
        }
    }

    @Test(
        "a source that fails while its connection is going away ends its own call only",
        arguments: ConnectionLine.http2,
        [false, true]
    )
    func failsLate(line: ConnectionLine, isProcessed: Bool) async throws {
        let source = GatedSource(Data("first".utf8))
        try await line.run { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            guard number == 0 else { return try await peer.serve() }
            let other = try await peer.nextRequest()
            let request = try await peer.nextHead()
            #expect(request.target == "/upload")
            // What was begun can't be sent again.
            try await peer.waitForBody(of: request.stream)
            try await peer.goAway(last: isProcessed ? request.stream : other.stream)
            try await peer.waitForPong()
            source.gate.settle(.failure(GatedSource.Broken()))
            if isProcessed {
                while true { if case .reset(request.stream, _) = try await peer.next() { break } }
            }
            try await peer.respond(to: other)
            while true { _ = try await peer.next() }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                group.addTask { await caller.expectOwn(.get, "/other") }
                group.addTask {
                    await caller.ledger.wait { $0.requests.count == 1 }
                    let failure = await #expect(throws: TransportFailure.self) { _ = try await upload(caller, source) }
                    #expect(failure?.kind == (isProcessed ? .requestBodyFailed : .connectionLost), "\(failure as Any)")
                    #expect(failure?.delivery == (isProcessed ? .maybeSent : .notSent), "\(failure as Any)")
                }
            }
            await caller.expectOwn(.put, "/next", mustMove: true)
            await caller.ledger.wait { $0.openConnections == 1 }
        }
    }

    @Test("a source that stalls beyond the limits, while its response arrives, ends nothing")
    func stalls() async throws {
        // All at once, because each waits.
        try await withThrowingTaskGroup { group in
            for line in ConnectionLine.all {
                for hasLength in [true, false] { group.addTask { try await stall(line, hasLength) } }
            }
            try await group.waitForAll()
        }
    }

    private func stall(_ line: ConnectionLine, _ hasLength: Bool) async throws {
        let source = GatedSource(Data("first".utf8))
        let isAnswered = Signal<Void>()
        try await line.run { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                let head = try await peer.readHead()
                try await peer.sendHead(200, length: 8, to: head)
                try await peer.sendBody("some", of: head, isLast: false)
                isAnswered.settle()
                let request = try await peer.readBody(of: head)
                #expect(String(decoding: request.body, as: UTF8.self) == "firstlast")
                try await peer.sendBody("more", of: head)
                try await peer.serve()
            }
        } _: { caller in
            async let reply = upload(caller, source, length: hasLength ? 9 : nil) {
                $0.timeouts.idle = .milliseconds(1500)
                $0.timeouts.firstByte = .milliseconds(1500)
            }
            try await isAnswered.value()
            // Longer than both limits, of which none runs.
            try await Task.sleep(for: .milliseconds(1700))
            source.gate.settle(.success(Data("last".utf8)))
            #expect(try await reply == Caller.Reply(status: 200, text: "somemore"), "\(line), \(hasLength)")
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test("a source that fails after a final error status does not end its call", arguments: ConnectionLine.all)
    func failsAfterStatus(line: ConnectionLine) async throws {
        let source = GatedSource(Data("first".utf8))
        let hasFailed = Signal<Void>()
        try await line.run { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                let head = try await peer.readHead()
                try await peer.sendHead(413, length: 4, to: head)
                try await peer.sendBody("mu", of: head, isLast: false)
                try await hasFailed.value()
                try await peer.sendBody("ch", of: head)
                try await peer.serve()
            }
        } _: { caller in
            let request = try caller.request(.stream, "/upload").with {
                $0.method = .post
                $0.upload = source.body(length: nil)
            }
            let response = try await caller.transport.execute(request)
            #expect(response.head.status == 413)
            source.gate.settle(.failure(GatedSource.Broken()))
            // The loop would learn of it meanwhile.
            try await Task.sleep(for: .milliseconds(50))
            hasFailed.settle()
            #expect(try await response.stream.collect(upTo: 100) == Data("much".utf8))
        }
    }

    @Test("no limit runs while the consumer pauses, also if the source of the request goes on meanwhile")
    func pauses() async throws {
        // All at once, because each waits.
        try await withThrowingTaskGroup { group in
            for line in ConnectionLine.all { group.addTask { try await pause(line) } }
            try await group.waitForAll()
        }
    }

    private func pause(_ line: ConnectionLine) async throws {
        let source = GatedSource(Data("first".utf8))
        let body = String(repeating: "a", count: 4 << 20)
        try await line.run { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                let head = try await peer.readHead()
                try await peer.sendHead(200, length: body.utf8.count, to: head)
                if let http2 = peer.http2 {
                    try await http2.sendBody(head.request.stream, Array(body.utf8))
                } else {
                    try await peer.sendBody(body, of: head)
                }
                try await peer.serve()
            }
        } _: { caller in
            let request = try caller.request(.stream, "/upload").with {
                $0.method = .post
                $0.upload = source.body(length: nil)
                $0.timeouts.idle = .milliseconds(1500)
            }
            let stream = try await caller.transport.execute(request).stream
            let buffer = try #require(stream.source as? StreamSource)
            try await eventually { buffer.isPaused }
            source.gate.settle(.success(Data("last".utf8)))
            try await Task.sleep(for: .milliseconds(1900))
            #expect(try await stream.collect(upTo: .max) == Data(body.utf8), "\(line)")
        }
    }

    @Test(
        "an upload that the server does not read ends at the idle limit",
        arguments: ConnectionLine.all,
        drivers
    )
    func isNotRead(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        let isOver = Signal<Void>()
        try await line.run(driver: driver) { wire, number, ledger in
            guard number == 0 else {
                return try await ScriptedPeer.run(wire, number, ledger) { try await $0.serve() }
            }
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                peer.http2?.isSilent = true
                _ = try await peer.readHead()
                try await isOver.value()
                while try await wire.readSome() != nil {}
            }
        } _: { caller in
            let size = 64 << 20
            let source = PatternSource(size, chunk: 1 << 20)
            let failure = try await caller.failure(.post, "/large") {
                $0.body = nil
                $0.upload = source.body(length: Int64(size))
                $0.timeouts.idle = .milliseconds(250)
            }
            #expect(failure.kind == .timedOut && failure.phase == .idle && failure.delivery == .maybeSent, "\(failure)")
            #expect(source.givenBytes < size)
            isOver.settle()
            await caller.expectOwn(.get, "/next", mustMove: true)
        }
    }

    @Test(
        "uploads of all sizes arrive equal",
        arguments: ConnectionLine.all,
        drivers
    )
    func arrive(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await line.run(driver: driver) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                while true {
                    let head = try await peer.readHead()
                    let request = try await peer.readBody(of: head)
                    let size = Int(request.target.split(separator: "/")[0]) ?? -1
                    #expect(request.body == Array(BodyServer.pattern(size)), "\(request.target)")
                    try await peer.sendHead(200, length: 4, to: head)
                    try await peer.sendBody("done", of: head)
                }
            }
        } _: { caller in
            for size in [0, 1, 64 << 10, (1 << 20) + 1] {
                for (hasLength, chunk) in [(true, 50_000), (false, 50_000), (true, 1 << 20), (false, 1 << 20)] {
                    let source = PatternSource(size, chunk: chunk)
                    let reply = try await caller.send(.put, "/\(size)/\(hasLength)") {
                        $0.body = nil
                        $0.upload = source.body(length: hasLength ? Int64(size) : nil)
                    }
                    #expect(reply == Caller.Reply(status: 200, text: "done"), "\(size), \(hasLength), \(chunk)")
                }
                let reply = try await caller.send(.post, "/\(size)/collected") { $0.body = BodyServer.pattern(size) }
                #expect(reply == Caller.Reply(status: 200, text: "done"), "\(size)")
            }
            #expect(caller.ledger.connections == 1)
        }
    }
}
