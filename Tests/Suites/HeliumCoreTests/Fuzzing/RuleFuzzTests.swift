import Foundation
import FuzzSupport
import TestSupport
import Testing

/// Seeded inputs: valid examples, changed at some places, and noise.
@Suite("Fuzzing of decoding rules", .tags(.random))
struct RuleFuzzTests {
    private func run(_ examples: [String], alphabet: String, seed: UInt64, _ target: ([UInt8]) -> Void) async {
        var random = ProofLength.random(seed: seed)
        let examples = examples.map { Array($0.utf8) }
        let alphabet = Array(alphabet.utf8)
        for round in ProofLength.rounds(1000) {
            // Others wait for the few threads that there are.
            if round.isMultiple(of: 500) { await Task.yield() }
            var bytes = examples[round % examples.count]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let byte = alphabet.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(byte, at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2: bytes = Array(bytes[..<place])
                case 3 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
                case _ where place < bytes.count: bytes[place] = byte
                default: break
                }
            }
            target(bytes)
        }
    }

    @Test("random texts as dates do not trap")
    func dates() async {
        await run(
            [
                "2016-02-12T08:00:07Z", "2016-12-31T23:59:60.123456789+02:00", "0001-01-01", "9999-12-31 23:59:59-2359",
                "1455264007", "-1455264007.5",
            ],
            alphabet: "0123456789-:.TtZz+ ",
            seed: 1,
            fuzzDates
        )
    }

    @Test("random texts as media types do not trap")
    func mediaTypes() async {
        await run(
            ["text/html", "application/problem+json; charset=utf-8", "a/b;c=\"d\\\"e\";;f=g"],
            alphabet: "ab/;=\"\\ \t+",
            seed: 2,
            fuzzMediaTypes
        )
    }

    @Test("random bodies of errors do not trap")
    func errorBodies() async {
        await run(
            [
                "<!doctype html><title>a &amp; b</title><p>c", "<html><!-- x --><script>a<b</script>d", "text",
                #"{"type":"a","status":1,"x":[{"y":null}]}"#,
            ],
            alphabet: "<>!-/&;\"{}[]:,\\ ",
            seed: 3,
            fuzzErrorBodies
        )
    }
}
