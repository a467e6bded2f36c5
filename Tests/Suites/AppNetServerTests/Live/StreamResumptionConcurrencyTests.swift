import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("User streams that are cut", .timeLimit(.minutes(5)))
struct StreamResumptionConcurrencyTests {
    /// The progress that both sides of a test share.
    private final class Progress: Sendable {
        let said = Mutex<Set<String>>([])
        let seen = Mutex<Set<String>>([])
        let cuts = Mutex(0)
    }

    @Test("a user stream loses no post in many cuts while posts arrive", .tags(.random))
    func manyCuts() async throws {
        let cuts = ProofLength.count(30, full: 300)
        try await withVisitors { alice, bob in
            let first = try await ChunkedClient.user(alice)
            let id = first.connectionID
            _ = try await alice.get("users/me/mentions?connection_id=\(id)")
            let progress = Progress()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var number = 0
                    while case let cut = progress.cuts.withLock({ $0 }), cut < cuts {
                        // A few posts for every cut: frames come back after each, and there is a ceiling.
                        guard number < 3 * (cut + 1) else {
                            await Task.yield()
                            continue
                        }
                        let post = try await bob.say("@alice \(number)")
                        _ = progress.said.withLock { $0.insert(post) }
                        number += 1
                    }
                    let last = try await bob.say("@alice the end")
                    _ = progress.said.withLock { $0.insert(last) }
                }
                group.addTask {
                    defer { progress.cuts.withLock { $0 = cuts } }
                    var stream = first
                    var seen: Set<String> = []
                    var isOver = false
                    while !isOver {
                        let cut = progress.cuts.withLock { $0 }
                        if cut < cuts {
                            // Between frames, in the middle of one, and by a second consumer, in turn.
                            if cut % 3 == 0 { alice.running.server.appNet.dropStreams() }
                            if cut % 3 == 1 { alice.running.server.appNet.cutNextFrames() }
                            stream = try await ChunkedClient.user(alice, "connection_id=\(id)")
                            try #require(stream.connectionID == id, "the stream is the same")
                        }
                        var isNew = false
                        while !isNew {
                            do {
                                let data = try await stream.frame()["data"]?.arrayValue?.first
                                isNew = seen.insert(try #require(data?["id"]?.stringValue)).inserted
                                isOver = data?["text"] == "@alice the end"
                            } catch RawConnection.Failure.closed, RawConnection.Failure.reset {
                                stream = try await ChunkedClient.user(alice, "connection_id=\(id)")
                            }
                        }
                        if cut < cuts { progress.cuts.withLock { $0 += 1 } }
                    }
                    progress.seen.withLock { $0 = seen }
                }
                try await group.waitForAll()
                // The last post can be seen before the other task has noted it.
                #expect(progress.seen.withLock { $0 } == progress.said.withLock { $0 })
            }
        }
    }

    @Test("a user stream that nobody reads does not hold up the server")
    func slowReader() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            for number in 0..<50 {
                let path = "users/me/mentions?connection_id=\(stream.connectionID)&subscription_id=\(number)"
                _ = try await alice.get(path)
            }
            let text = "@alice " + String(repeating: "x", count: 240)
            for _ in 0..<20 { try await bob.say(text) }
            #expect(try await bob.get("users/me/posts?count=1").status == 200)
            #expect(alice.running.server.appNet.userStreamCount == 1)
        }
    }
}
