import HTTPTypes
import HeliumCore
import Synchronization

@testable import HeliumCurl
@testable import TestSupport

/// Calls to servers that restart, cut connections and close them, some of which are cancelled or not read to their
/// end. Each must end, with its own response or a failure, and nothing may be held afterwards.
struct SoakPart {
    let options: Options

    private static let concurrency = 64
    private static let transports = 4

    func run() async throws -> Bool {
        say("soak: \(options.count) calls, \(Self.concurrency) at once, with seed \(options.seed)")
        // What the first calls leave behind for later ones is no leak.
        let warm = try await run(min(options.count, 5000), seed: options.seed ^ 1, title: "soak: warm-up")
        let before = await Footprint.settled()
        say("soak: before: \(before)")
        let hasPassed = try await run(options.count, seed: options.seed, title: "soak")
        let after = await Footprint.settled(to: before.descriptors, upTo: 20)
        say("soak: after: \(after)")
        var leaks: [String] = []
        func compare(_ what: String, _ key: KeyPath<Footprint, Int?>, slack: Int) {
            guard let old = before[keyPath: key], let new = after[keyPath: key], new > old + slack else { return }
            leaks.append("\(what): \(old) before, \(new) after")
        }
        compare("descriptors", \.descriptors, slack: 2)
        compare("threads", \.threads, slack: 3)
        compare("KiB", \.kibibytes, slack: 32 << 10)
        for leak in leaks { say("soak: LEAK: \(leak)") }
        let isGood = warm && hasPassed && leaks.isEmpty
        say("soak: \(isGood ? "passed" : "FAILED"), seed \(options.seed)")
        return isGood
    }

    private func run(_ count: Int, seed: UInt64, title: String) async throws -> Bool {
        let servers = options.servers.map(Server.init)
        let transports = Transports(Self.transports, options)
        let tally = Tally()
        let watch = HangWatch(transports.all[0], tally, title)
        defer { watch.cancel() }
        await withTaskGroup { group in
            for lane in 0..<Self.concurrency {
                group.addTask {
                    var random = SeededRandom(seed: seed &+ UInt64(lane) << 32)
                    for number in 0..<count / Self.concurrency {
                        if random.oneIn(2000) { await transports.replaceOne(&random) }
                        let transport = transports.pick(&random)
                        let call = EchoCall(id: "\(lane)/\(number)", &random)
                        await SoakCall(call: call, server: random.pick(servers), transport: transport, tally: tally)
                            .run(&random)
                    }
                }
            }
        }
        for transport in transports.all { await transport.shutdown() }
        let values = tally.values
        say(
            "\(title): \(values.calls) calls: \(values.answered) answered, \(values.excused) failed, "
                + "\(values.wrong.count) wrong"
        )
        for (failure, count) in values.failures.sorted(by: { $0.value > $1.value }).prefix(40) {
            say("\(title):   \(count) × \(failure)")
        }
        for wrong in values.wrong.prefix(10) { say("\(title):   WRONG: \(wrong)") }
        if values.failed > 0 { say("\(title):   \(values.failed) calls failed in a way that nothing here causes") }
        return values.wrong.isEmpty && values.failed == 0 && values.answered + values.excused == values.calls
            && values.answered * 2 > values.calls
    }
}

/// The transports of a soak, which are replaced while calls are under way.
private final class Transports: Sendable {
    private let options: Options
    private let transports: Mutex<[CurlTransport]>

    init(_ count: Int, _ options: Options) {
        self.options = options
        transports = Mutex((0..<count).map { _ in options.transport() })
    }

    var all: [CurlTransport] { transports.withLock { $0 } }

    func pick(_ random: inout SeededRandom) -> CurlTransport { random.pick(all) }

    /// Puts a new transport in the place of one, which is shut down or only released. A released one ends with its
    /// last call.
    func replaceOne(_ random: inout SeededRandom) async {
        let index = random.below(all.count)
        let new = options.transport()
        let old = transports.withLock { transports in
            let old = transports[index]
            transports[index] = new
            return old
        }
        if random.oneIn(2) { await old.shutdown() }
    }
}
