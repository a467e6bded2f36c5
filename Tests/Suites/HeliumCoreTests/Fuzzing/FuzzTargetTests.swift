import FuzzSupport
import TestSupport
import Testing

/// A small share of what `make fuzz` does, for the targets that no other suite feeds.
@Suite("Fuzzing of what is sent and followed", .timeLimit(.minutes(5)))
struct FuzzTargetTests {
    @Test(
        "random inputs of requests reveal no secret",
        .tags(.random),
        arguments: [
            "templates", "multipart", "retry-after", "redirects", "content-range", "json", "appnet-json", "appnet-text",
        ]
    )
    func inputs(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        for round in ProofLength.rounds(1000) {
            try await target.check(target.input(round, seed: ProofLength.seed(3)))
            // Other tests run on the same few threads, some of them against a clock.
            if round % 200 == 0 { await Task.yield() }
        }
    }

    @Test(
        "random frames and scope files of Jetstream end in a response, a close or an error",
        .tags(.random),
        arguments: ["jetstream-server", "jetstream-client", "jetstream-scopes"]
    )
    func jetstream(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        for round in ProofLength.rounds(1000) {
            try await target.check(target.input(round, seed: ProofLength.seed(3)))
            if round % 200 == 0 { await Task.yield() }
        }
    }

    @Test(
        "random responses, frames, records of downloads, and times of the middleware are read consistently",
        .tags(.random),
        arguments: [
            "response-heads", "body-framing", "http1-responses", "http2", "download-validators", "download-records",
            "middleware-timestamps", "middleware-keys",
        ]
    )
    func heads(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        for round in ProofLength.rounds(1000) {
            try await target.check(target.input(round, seed: ProofLength.seed(3)))
            if round % 200 == 0 { await Task.yield() }
        }
    }

    @Test("each fuzz target accepts its own examples", arguments: FuzzTarget.all.map(\.name))
    func examples(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        for example in target.examples { try await target.check(example) }
    }

    @Test("an input of a former failure still passes: a key of a literal path that ends with NUL")
    func regressions() async throws {
        try await #require(FuzzTarget.named("templates")).check(Array(":a\na\0".utf8))
    }

    @Test("fuzz inputs repeat with their seed")
    func repeatable() throws {
        let target = try #require(FuzzTarget.named("templates"))
        let inputs = (0..<500).map { target.input($0, seed: 1) }
        #expect(target.input(437, seed: 1) == inputs[437])
        #expect(Set(inputs).count > 350)
        #expect((0..<500).map { target.input($0, seed: 2) } != inputs)
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    }
}
