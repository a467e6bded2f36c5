import HeliumCore

@testable import HeliumCurl
@testable import TestSupport

/// Sends random requests to servers that repeat what they have read, and compares it with what was meant.
struct RequestsPart {
    let options: Options

    private static let concurrency = 8

    func run() async -> Bool {
        say("requests: \(options.count) for each server with seed \(options.seed)")
        var hasPassed = true
        for server in options.servers.map(Server.init) {
            let transport = options.transport()
            let tally = Tally()
            let watch = HangWatch(transport, tally, server.name)
            await withTaskGroup { group in
                for lane in 0..<Self.concurrency {
                    group.addTask { await run(lane, server, transport, tally) }
                }
            }
            watch.cancel()
            await transport.shutdown()
            if !tally.report("requests: \(server.name)") { hasPassed = false }
        }
        say("requests: \(hasPassed ? "passed" : "FAILED"), seed \(options.seed)")
        return hasPassed
    }

    private func run(_ lane: Int, _ server: Server, _ transport: CurlTransport, _ tally: Tally) async {
        var grammar = RequestGrammar(seed: options.seed &+ UInt64(lane) << 32, rules: Self.rules(of: server))
        for number in 0..<max(1, options.count / Self.concurrency) {
            tally.change { $0.calls += 1 }
            do {
                let sample = try grammar.next(to: server, number: number)
                let response = try await transport.execute(sample.request)
                let fault = sample.fault(of: response, isHTTP2: server.isHTTP2)
                tally.change {
                    if let fault {
                        $0.wrong.append("\(sample.request.method) \(sample.request.url.target.prefix(200)): \(fault)")
                    } else {
                        $0.answered += 1
                    }
                }
            } catch {
                let text = (error as? TransportFailure).map { "\($0.kind) \($0.delivery): \($0.message)" } ?? "\(error)"
                tally.change {
                    $0.failed += 1
                    $0.failures[text, default: 0] += 1
                }
            }
        }
    }

    /// The forms of requests that a server accepts.
    private static func rules(of server: Server) -> RequestGrammar.Rules {
        var rules = RequestGrammar.Rules()
        let isGo = server.name.contains("go")
        // nginx takes upper-case letters, and passes the requests to Go.
        rules.allowsAnyMethod = isGo || server.name.contains("nginx")
        rules.allowsOddTargets = isGo
        // SwiftNIO makes UTF-8 of all values.
        rules.allowsOddValues = !server.name.contains("hummingbird")
        return rules
    }
}
