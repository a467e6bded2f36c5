import HeliumCore

@testable import HeliumCurl
@testable import TestSupport

/// Bursts of calls at once to nginx, which closes connections after five requests and after a second, with pauses of
/// 0 to 3 seconds in between.
struct IdlePart {
    let options: Options

    private static let concurrency = 40

    func run() async throws -> Bool {
        say("idle: \(options.count) calls for each server, \(Self.concurrency) at once, with seed \(options.seed)")
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for server in options.servers.map(Server.init) { group.addTask { await run(server) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        say("idle: \(results.contains(false) ? "FAILED" : "passed"), seed \(options.seed)")
        return !results.contains(false)
    }

    private func run(_ server: Server) async -> Bool {
        let transport = options.transport()
        let caller = LoadCaller(server: server, transport: transport)
        let watch = HangWatch(transport, caller.tally, server.name)
        defer { watch.cancel() }
        var random = SeededRandom(seed: options.seed)
        var made = 0
        while made < options.count {
            let length = 1 + random.below(3)
            let seed = random.next()
            await withTaskGroup { group in
                for lane in 0..<Self.concurrency {
                    group.addTask {
                        var random = SeededRandom(seed: seed &+ UInt64(lane))
                        for number in 0..<length {
                            await caller.call(EchoCall(id: "\(seed)/\(lane)/\(number)", &random))
                        }
                    }
                }
            }
            made += length * Self.concurrency
            try? await Task.sleep(for: Self.pause(&random))
        }
        let statistics = await transport.statistics
        await transport.shutdown()
        say("idle: \(server.name): \(statistics.openedConnections) opened, \(statistics.reusedConnections) reused")
        return caller.tally.report("idle: \(server.name)")
    }

    /// A pause, often one that is close to the second after which the server closes.
    private static func pause(_ random: inout SeededRandom) -> Duration {
        switch random.below(4) {
        case 0: .zero
        case 1: .microseconds(990_000 + random.below(20_000))
        case 2: .milliseconds(random.below(300))
        default: .milliseconds(random.below(3000))
        }
    }
}
