import Synchronization
import TestSupport
import Testing

@testable import HeliumConcurrency

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("A blocking worker")
struct BlockingWorkerTests {
    private final class Counts: Sendable {
        let running = Guarded(0)
        let most = Guarded(0)
        let total = Guarded(0)
    }

    private struct Refusal: Error, Equatable {
        let number: Int
    }

    @Test("returns the results and errors of its work", .timeLimit(.minutes(5)))
    func results() async throws {
        let worker = BlockingWorker()
        #expect(await worker.run { 7 } == 7)
        await #expect(throws: Refusal(number: 3)) {
            try await worker.run { () throws(Refusal) in throw Refusal(number: 3) }
        }
    }

    @Test("blocks none of the cooperative threads, of which there are as many as cores", .timeLimit(.minutes(5)))
    func blocking() async {
        let count = 64
        let counts = Counts()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await BlockingWorker().run {
                        counts.running.withLock { $0 += 1 }
                        // Ends only when all run at once.
                        var rounds = 0
                        while counts.running.withLock({ $0 }) < count, rounds < 60_000 {
                            usleep(1000)
                            rounds += 1
                        }
                        return rounds < 60_000
                    }
                }
            }
            for await together in group { #expect(together) }
        }
    }

    @Test("never runs two pieces of work at once, and loses none", .timeLimit(.minutes(5)))
    func exclusion() async {
        let counts = Counts()
        let worker = BlockingWorker()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await worker.run {
                        let running = counts.running.withLock {
                            $0 += 1
                            return $0
                        }
                        counts.most.withLock { $0 = max($0, running) }
                        usleep(50)
                        counts.running.withLock { $0 -= 1 }
                        counts.total.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(counts.most.withLock { $0 } == 1)
        #expect(counts.total.withLock { $0 } == 200)
    }

    @Test("starts another thread after the first has ended, and is freed with the last", .timeLimit(.minutes(5)))
    func again() async throws {
        weak var freed: BlockingWorker?
        do {
            let worker = BlockingWorker()
            freed = worker
            for round in 0..<20 {
                #expect(await worker.run { round } == round)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        // The thread gives its worker up a moment after the last result.
        try await eventually { freed == nil }
    }
}
