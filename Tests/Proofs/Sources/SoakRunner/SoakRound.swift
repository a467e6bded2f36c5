import Foundation
import HeliumKit
import HeliumTesting

@testable import TestSupport

/// Some seconds of calls on servers and clients of their own; when it ends, all of them have.
struct SoakRound {
    let number: Int
    let plan: SoakPlan
    let site: SoakSite
    let ledger: Ledger

    func run() async throws {
        var random = SeededRandom(seed: plan.seed &+ UInt64(number) &* 0x9E37_79B9)
        let faults = (0..<20_000).map { _ in SoakFaults.pick(&random) }
        let seeds = (0..<plan.concurrency).map { _ in random.next() }
        let chaos = random.next()
        try await FaultServer.run(faults: .requests(faults)) { server in
            let clients = try ClientPool(site: site, faulty: server.url, ledger: ledger)
            let end = ContinuousClock.now + .seconds(plan.roundSeconds)
            await withTaskGroup { group in
                for seed in seeds {
                    group.addTask {
                        var worker = SoakWorker(random: SeededRandom(seed: seed), clients: clients, ledger: ledger)
                        while ContinuousClock.now < end { await worker.call() }
                    }
                }
                group.addTask {
                    var random = SeededRandom(seed: chaos)
                    while ContinuousClock.now < end {
                        try? await Task.sleep(for: .milliseconds(20 + random.below(400)))
                        await clients.replaceOne(&random)
                    }
                }
            }
            await clients.closeAll()
        }
    }
}

/// The faults that a round's server plays.
enum SoakFaults {
    static func pick(_ random: inout SeededRandom) -> FaultServer.Fault {
        // Two of three requests are answered, or nothing would ever be under way for long.
        guard random.below(3) == 0 else { return random.below(4) == 0 ? large : .healthy }
        return faults[random.below(faults.count)]
    }

    private static let large = FaultServer.Fault.answer(body: String(repeating: "0123456789abcdef", count: 8192))

    private static let faults: [FaultServer.Fault] = [
        .resetOnConnect, .closeOnConnect, .slowAccept(.milliseconds(100)), .answerBeforeRequest, .resetBeforeHeaders,
        .closeBeforeHeaders, .garbage, .switchedProtocols, .resetMidBody, .closeMidBody, .stallMidBody, .halfClose,
        .lengthTooShort, .unfinishedChunks, .brokenChunk, .drip("0123456789", every: .milliseconds(10)), .endlessBody,
        .endlessHeaders, .wrongCoding, .answerBeforeBody(), .closeAfterResponse, .duplicateResponses, .redirectLoop,
        .redirectChain(3), .tooManyRequests(retryAfter: .seconds(0)), .unavailable(),
        .unavailable(retryAfter: .seconds(1)),
        .gzipBomb(decodingTo: 4 << 20), .answer(500, body: "no"), .answer(204),
    ]
}
