import Foundation
import HeliumKit
import Synchronization
import TestSupport
import Testing

@Suite("Bodies over HTTP/1.1 and over HTTP/2 with TLS", .timeLimit(.minutes(5)))
struct BodyConcurrencyTests {
    /// `count` bytes in chunks; tells how far it was read.
    private static func content(
        _ count: Int,
        chunk: Int = 100_000,
        isAnnounced: Bool,
        onRead: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> RequestContent {
        .stream(length: isAnnounced ? Int64(count) : nil, isReplayable: true) {
            AsyncStream<Data>(unfolding: counted(count, chunk, onRead))
        }
    }

    private static func counted(
        _ count: Int,
        _ chunk: Int,
        _ onRead: @escaping @Sendable (Int) -> Void
    ) -> @Sendable () async -> Data? {
        let position = Guarded(0)
        return {
            let start = position.withLock { position in
                defer { position = min(count, position + chunk) }
                return position
            }
            onRead(start)
            return start < count ? Data(count: min(chunk, count - start)) : nil
        }
    }

    @Test(
        "bodies of any size arrive over each version of HTTP, announced or not",
        arguments: [false, true],
        [false, true]
    )
    func arrive(http2: Bool, isAnnounced: Bool) async throws {
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                for size in [0, 1, 65_536, 3_000_001] {
                    let answer = try await helium.put(
                        "/count",
                        body: Self.content(size, isAnnounced: isAnnounced),
                        returning: String.self
                    ).response()
                    #expect(answer.value == "\(size)" && answer.head.version == (http2 ? .http2 : .http1_1))
                }
            }
        }
    }

    // Encrypting is slow in a debug build: as much as makes buffers turn over often, and no more.
    @Test("16 MiB are uploaded and downloaded over each version of HTTP", arguments: [false, true])
    func large(http2: Bool) async throws {
        let size = 16 << 20
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                let count = try await helium.put(
                    "/count",
                    body: Self.content(size, chunk: 1 << 20, isAnnounced: true),
                    returning: String.self
                ).value()
                #expect(count == "\(size)")
                let stream = try await helium.get("/zeros").parameters(["count": size]).stream()
                var received = 0
                for try await chunk in stream.body { received += chunk.count }
                #expect(received == size)
            }
        }
    }

    @Test("a body comes back while it is still sent", arguments: [false, true])
    func echo(http2: Bool) async throws {
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                let data = BodyRouter.pattern(2_000_000)
                let content = RequestContent.upload(
                    UploadBody(length: nil, isReplayable: true) { Pieces(data) },
                    contentType: "application/x-pieces"
                )
                let stream = try await helium.post("/echo", body: content).stream()
                #expect(stream[.contentType] == "application/x-pieces")
                #expect(try await stream.body.collect(upTo: 3_000_000) == data)
            }
        }
    }

    @Test(
        "a response before the body was read ends the source",
        arguments: [false, true]
    )
    func early(http2: Bool) async throws {
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                let pieces = Pieces(Data(count: 200_000_000))
                let content = RequestContent.upload(UploadBody(length: nil, isReplayable: false) { pieces })
                do {
                    try await helium.put("/refuse", body: content).value()
                    Issue.record("accepted")
                } catch let error as HeliumError {
                    // A server that closes at once may take its answer back with what it does not read.
                    #expect(error.status == 413 || error.kind == .connectionLost && !http2, "\(error)")
                }
                try await eventually { pieces.isCancelled }
                // The client goes on.
                #expect(try await helium.put("/count", body: .text("abc"), returning: String.self).value() == "3")
            }
        }
    }

    @Test("cancelling an upload ends it, and others on the connection continue", arguments: [false, true])
    func cancel(http2: Bool) async throws {
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                let (begun, continuation) = AsyncStream<Void>.makeStream()
                let endless = Task {
                    try await helium.put(
                        "/count",
                        body: Self.content(.max, isAnnounced: false) { if $0 > 1_000_000 { continuation.yield() } }
                    ).timeout(nil).value()
                }
                for await _ in begun { break }
                async let other = helium.put(
                    "/count",
                    body: Self.content(500_000, isAnnounced: true),
                    returning: String.self
                )
                .value()
                endless.cancel()
                await #expect(throws: CancellationError.self) { try await endless.value }
                let count = try await other
                #expect(count == "500000")
            }
        }
    }

    @Test("the progress of an upload begins at zero and ends at all bytes", arguments: [false, true])
    func progress(http2: Bool) async throws {
        try await BodyRouter.with(http2: http2) { router in
            try await router.withHelium { helium in
                let told = Guarded<[TransferProgress]>([])
                try await helium.put("/count", body: Self.content(3_000_000, isAnnounced: true))
                    .uploadProgress { progress in told.withLock { $0.append(progress) } }.value()
                let progress = told.withLock { $0 }
                #expect(progress.first?.completed == 0 && progress.last?.completed == 3_000_000)
                #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
            }
        }
    }
}

/// Bytes in pieces of many sizes.
private final class Pieces: UploadSource {
    private struct State {
        var rest: Data
        var size = 1
        var isCancelled = false
    }

    private let state: Guarded<State>

    init(_ data: Data) { state = Guarded(State(rest: data)) }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws -> Data? {
        state.withLock { state in
            let piece = Data(state.rest.prefix(state.size))
            state.rest = state.rest.dropFirst(piece.count)
            state.size = state.size * 3 % 300_007 + 1
            return piece.isEmpty ? nil : piece
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
