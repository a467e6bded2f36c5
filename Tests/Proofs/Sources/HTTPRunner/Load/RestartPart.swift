import HeliumCore

@testable import HeliumCurl
@testable import TestSupport

/// Calls to servers that restart again and again. Scripts/http.sh restarts them.
struct RestartPart {
    let options: Options

    private static let concurrency = 16

    func run() async throws -> Bool {
        say("restarts: \(options.count) calls for each server, \(Self.concurrency) at once, with seed \(options.seed)")
        var hasPassed = true
        for server in options.servers.map(Server.init) {
            let transport = options.transport()
            var caller = LoadCaller(server: server, transport: transport)
            caller.mayRefuse = server.name.hasPrefix("hummingbird")
            let watch = HangWatch(transport, caller.tally, server.name)
            await run(caller)
            watch.cancel()
            let statistics = await transport.statistics
            await transport.shutdown()
            say(
                "restarts: \(server.name): \(statistics.openedConnections) opened, "
                    + "\(statistics.reusedConnections) reused"
            )
            if !caller.tally.report("restarts: \(server.name)") { hasPassed = false }
        }
        say("restarts: \(hasPassed ? "passed" : "FAILED"), seed \(options.seed)")
        return hasPassed
    }

    private func run(_ caller: LoadCaller) async {
        await withTaskGroup { group in
            for lane in 0..<Self.concurrency {
                group.addTask {
                    var random = SeededRandom(seed: options.seed &+ UInt64(lane) << 32)
                    for number in 0..<options.count / Self.concurrency {
                        await caller.call(EchoCall(id: "\(lane)/\(number)", &random))
                        if random.oneIn(4) { try? await Task.sleep(for: .microseconds(random.below(20_000))) }
                    }
                }
            }
        }
    }
}
