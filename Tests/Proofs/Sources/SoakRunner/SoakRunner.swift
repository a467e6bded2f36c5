import Foundation
import HeliumServer
import HeliumServerTesting

@testable import JetstreamSoak
@testable import TestSupport

/// `make soak`: random calls, cancellations, time limits and ends of clients at a high concurrency against servers that
/// misbehave and one that doesn't. No leak, no hang, no lost completion. The same for 100,000 WebSockets that are closed, released,
/// cancelled and cut. Then live updates over a socket that is cut, and trees that are changed over sockets that are cut.
///
/// Environment: `SOAK_SECONDS` (600), `SOAK_CONCURRENCY` (200), `SOAK_SEED` (random, printed), `SOAK_LIVE_UPDATES`
/// (10,000), `SOAK_LIVE_CUTS` (200), `SOAK_JETSTREAM_CUTS` (500), `SOAK_CONNECTS` (100,000).
@main
enum SoakRunner {
    static func main() async throws {
        let plan = SoakPlan(environment: ProcessInfo.processInfo.environment)
        say(
            "soak: \(plan.seconds) s at concurrency \(plan.concurrency), seed \(plan.seed),",
            "\(plan.rounds) rounds of \(plan.roundSeconds) s"
        )
        if Footprint.now.descriptors == nil {
            say("soak: descriptors, threads, memory: unsupported on this platform")
        }
        let ledger = Ledger()
        let watchdog = Watchdog(ledger: ledger)
        watchdog.start()
        let footprints = try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.tls = certificates.server
            configuration.limits.connections = 4096
            return try await withEmbeddedServer(configuration) { server in
                let site = SoakSite(server: server.ready, authority: certificates.authorityPath)
                var footprints: [Footprint] = []
                for number in 0..<plan.rounds {
                    try await SoakRound(number: number, plan: plan, site: site, ledger: ledger).run()
                    let footprint = await Footprint.settled()
                    footprints.append(footprint)
                    say("soak: after round \(number + 1): \(footprint), \(ledger.openCount) open")
                }
                return footprints
            }
        }
        watchdog.stop()
        let sockets = try await soakSockets(plan)
        // An update that is lost would be waited for without end.
        let alarm = Task {
            try await Task.sleep(for: .seconds(1800))
            say("soak: live: WRONG: it has not ended in half an hour")
            exit(1)
        }
        var wrong: [String] = []
        for isRaw in [false, true] {
            let soak = LiveSoak(updates: plan.liveUpdates, cuts: plan.liveCuts, seed: plan.seed, isRaw: isRaw)
            wrong += try await soak.run()
        }
        wrong += try await cutJetstream(plan)
        alarm.cancel()
        for text in wrong { say("soak: live: WRONG: \(text)") }
        let verdicts = [SoakVerdict(calls: "calls", ledger: ledger, footprints: footprints), sockets].map { $0.tell() }
        exit(verdicts.allSatisfy(\.self) && wrong.isEmpty ? 0 : 1)
    }

    private static func soakSockets(_ plan: SoakPlan) async throws -> SoakVerdict {
        let ledger = Ledger()
        let watchdog = Watchdog(ledger: ledger)
        watchdog.start()
        defer { watchdog.stop() }
        let soak = SocketSoak(
            connects: plan.connects,
            // The server accepts 256 connections that have not sent a key.
            concurrency: min(plan.concurrency, 200),
            seed: plan.seed,
            ledger: ledger
        )
        return SoakVerdict(calls: "WebSockets", ledger: ledger, footprints: try await soak.run())
    }

    /// - Returns: What is wrong.
    private static func cutJetstream(_ plan: SoakPlan) async throws -> [String] {
        let start = ContinuousClock.now
        let report = try await JetstreamSoak(cuts: plan.jetstreamCuts, seed: plan.seed).run()
        say(
            "soak: jetstream: \(plan.jetstreamCuts) cuts, \(report.resumedCount) resumed, \(report.setCount) change sets,",
            "\(report.refusedCount) refused in part, \(ContinuousClock.now - start)"
        )
        return report.wrong
    }
}
