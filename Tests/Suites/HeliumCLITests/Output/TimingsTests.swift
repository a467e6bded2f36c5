import Foundation
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("helium request --timings", .timeLimit(.minutes(5)))
struct TimingsTests {
    private static let attempts: [AttemptRecord] = {
        var first = AttemptRecord(
            number: 1,
            outcome: .answered(status: 503),
            delivery: .answered,
            duration: .milliseconds(8)
        )
        first.retryReason = .serverUnavailable
        first.pause = .milliseconds(120)
        let last = AttemptRecord(
            number: 2,
            outcome: .answered(status: 200),
            delivery: .answered,
            duration: .milliseconds(4)
        )
        return [first, last]
    }()

    @Test("helium request --timings prints a table of phases, and a line for each attempt")
    func table() {
        var timings = TransferTimings()
        timings.queue = .microseconds(10)
        timings.nameLookup = .microseconds(510)
        timings.connect = .microseconds(1510)
        timings.firstByte = .milliseconds(1234)
        timings.total = .milliseconds(12_345)
        #expect(
            TimeBreakdown(timings, Self.attempts).table == """
                phase                 took            at
                queue              0.01 ms       0.01 ms
                name lookup        0.50 ms       0.51 ms
                connect            1.00 ms       1.51 ms
                tls                      -             -
                first byte      1232.49 ms    1234.00 ms
                body           11111.00 ms   12345.00 ms
                total          12345.00 ms   12345.00 ms
                connection: new
                attempt #1 503 after 0.008 s (retried after 0.120 s: serverUnavailable)
                attempt #2 200 after 0.004 s
                """
        )
    }

    @Test("a reused connection has no phases of connecting in --timings")
    func reused() {
        var timings = TransferTimings()
        timings.isConnectionReused = true
        timings.firstByte = .milliseconds(2)
        timings.total = .milliseconds(3)
        let breakdown = TimeBreakdown(timings, [])
        #expect(breakdown.phases.filter { $0.took != nil }.map(\.name) == ["firstByte", "body", "total"])
        #expect(breakdown.table.text.hasSuffix("connection: reused"))
    }

    private struct Document: Decodable {
        struct Timings: Decodable {
            struct Attempt: Decodable {
                let status: Int?
                let failure: String?
                let retryReason: String?
                let pause: Double?
            }

            let isConnectionReused: Bool
            let phases: [String: Double]
            let attempts: [Attempt]
        }

        let timings: Timings?
    }

    @Test("--timings goes to stderr, and the body to stdout")
    func text() async throws {
        try await FaultServer.run(faults: [.unavailable(), .healthy]) { server in
            let outcome = try await Tool.run(["request", "GET", "/", "--base-url", server.url, "--timings"])
            #expect(outcome.status == 0 && outcome.stdout == "ok", "\(outcome)")
            for part in ["phase ", "name lookup ", "first byte ", "connection: ", "attempt #1 503 ", "attempt #2 200 "]
            {
                #expect(outcome.stderr.contains(part), "\(part) in \(outcome.stderr)")
            }
            #expect(outcome.stderr.contains(": serverUnavailable)"))
        }
    }

    @Test("--timings with --format json are members of the document, also after a failure")
    func json() async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(faults: [.unavailable(), .healthy, .healthy, .unavailable()]) { server in
                func run(_ options: [String]) async throws -> Tool.Outcome {
                    let common = ["request", "GET", "/", "--base-url", server.url, "--format", "json"]
                    return try await Tool.run(common + options)
                }
                func timings(_ text: String) throws -> Document.Timings? {
                    try JSONDecoder().decode(Document.self, from: Data(text.utf8)).timings
                }
                let answer = try #require(try timings(await run(["--timings"]).stdout))
                #expect(answer.attempts.map(\.status) == [503, 200])
                #expect(answer.attempts.map(\.retryReason) == ["serverUnavailable", nil])
                #expect(answer.attempts[0].pause != nil && answer.phases["total"] != nil)
                let file = folder.appendingPathComponent("file").path
                let download = try #require(try timings(await run(["--timings", "--output", file]).stdout))
                #expect(download.phases["total"] != nil && download.phases["connect"] != nil)
                let failure = try #require(try timings(await run(["--timings", "--retry", "1"]).stderr))
                #expect(failure.attempts.map(\.status) == [503])
                #expect(try timings(await run(["--retry", "1"]).stderr) == nil)
            }
        }
    }

    @Test("--timings without a response prints the attempts before the failure")
    func failure() async throws {
        try await FaultServer.withRefusingURL { url in
            let outcome = try await Tool.run(["request", "GET", "/", "--base-url", url, "--timings", "--retry", "2"])
            #expect(outcome.status == 1 && outcome.stdout.isEmpty)
            #expect(outcome.stderr.contains("attempt #2 connectionFailed, notSent"), "\(outcome)")
        }
    }
}
