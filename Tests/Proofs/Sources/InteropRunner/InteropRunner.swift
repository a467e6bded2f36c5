import Foundation
import HeliumKit

/// `make interop`: does httpbin, which others wrote, see what we meant to send, and do we see what it meant to answer?
///
/// `INTEROP_URL` says where it runs; Scripts/interop.sh installs, starts and stops it. If the environment names Autobahn's suite
/// (``AutobahnSuite``), that is run instead.
@main
enum InteropRunner {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        if let suite = AutobahnSuite(environment: environment) { exit(try await suite.run() ? 0 : 1) }
        guard let url = environment["INTEROP_URL"].flatMap(URL.init(string:)) else {
            say("interop: error: INTEROP_URL names no server; run: make interop")
            exit(2)
        }
        let bin = try Bin(url)
        var disagreements = 0
        for check in Check.all {
            let start = ContinuousClock.now
            let outcome: String
            do {
                try await within(.seconds(60)) { try await check.run(bin) }
                outcome = "agrees"
            } catch {
                disagreements += 1
                outcome = "DISAGREES: \(error)"
            }
            let time = (ContinuousClock.now - start).components
            let milliseconds = time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000
            let name = check.name.padding(toLength: 58, withPad: " ", startingAt: 0)
            say(
                "\(name) \(String(repeating: " ", count: max(0, 6 - "\(milliseconds)".count)))\(milliseconds) ms  \(outcome)"
            )
        }
        await bin.helium.close()
        say("interop: \(Check.all.count) checks, \(disagreements) disagreements")
        exit(disagreements == 0 ? 0 : 1)
    }
}
