import Dispatch
import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore
@testable import HeliumKit

/// The threads on which the steps of a call run.
@Suite("Threads of a call", .timeLimit(.minutes(2)))
struct CallThreadTests {
    @Test("each attempt suspends its caller once")
    func suspensions() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            let counter = CountingExecutor()
            let count = 50
            let enqueued = try await Task(executorPreference: counter) {
                _ = try await helium.get("/", returning: Data.self).value()
                let before = counter.count
                for _ in 0..<count { _ = try await helium.get("/", returning: Data.self).value() }
                return counter.count - before
            }.value
            // A response that arrives before the caller has suspended needs no job.
            #expect(1...count ~= enqueued)
            await helium.close()
        }
    }

    @Test("the caller's code runs on the loop only in a task that prefers it", arguments: [false, true])
    func callersCode(prefersLoop: Bool) async throws {
        try await FaultServer.run({ _ in [.answer(body: Data("1".utf8))] }) { server in
            let seen = SeenThreads()
            let helium = try Helium(
                baseURL: try #require(URL(string: server.url)),
                authorizer: WatchingAuthorizer(seen: seen)
            )
            let loop = await withTaskExecutorPreference(helium.executor) { SeenThreads.current() }
            try await withTaskExecutorPreference(prefersLoop ? helium.executor : globalConcurrentExecutor) {
                for _ in 0..<20 {
                    _ = try await helium.get("/", returning: Data.self).reading { body in
                        seen.note()
                        return body.count
                    }.value()
                    seen.note()
                }
            }
            #expect(seen.count == 20 * 4)
            #expect(seen.threads.contains(loop) == prefersLoop)
            #expect(!prefersLoop || seen.threads == [loop])
            await helium.close()
        }
    }
}

/// Passes jobs to the global executor and counts them.
private final class CountingExecutor: TaskExecutor {
    private let jobs = Atomic(0)

    var count: Int { jobs.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
}

/// The threads on which the code of a caller ran.
private final class SeenThreads: Sendable {
    private let state = Mutex<(threads: Set<UInt>, count: Int)>(([], 0))

    var threads: Set<UInt> { state.withLock(\.threads) }
    var count: Int { state.withLock(\.count) }

    static func current() -> UInt { UInt(bitPattern: Int(truncatingIfNeeded: pthread_self())) }

    func note() {
        state.withLock { state in
            state.threads.insert(Self.current())
            state.count += 1
        }
    }
}

/// An authorizer of a caller's own that notes its threads, twice for each call.
private struct WatchingAuthorizer: Authorizer {
    let seen: SeenThreads

    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        seen.note()
        return true
    }

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}

    func didReceive(_ head: ResponseHead, for request: TransportRequest) { seen.note() }
}
