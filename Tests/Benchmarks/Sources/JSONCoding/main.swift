import BenchmarkHarness
import DecodingHarness

// With an argument: memory only, which a process shows once.
if let name = CommandLine.arguments.dropFirst().first, let candidate = DecodingMemory.Candidate(rawValue: name) {
    print(try DecodingMemory().run(candidate).json)
} else {
    let rounds = 9
    let decoding = DecodingComparison()
    var results = try decoding.page(rounds: rounds)
    results += try decoding.run([Message].self, group: "json-single", Documents.single, rounds: rounds)
    results += try decoding.run([Reading].self, group: "json-numbers", Documents.numbers, rounds: rounds)
    results += try decoding.run([String].self, group: "json-escapes", Documents.escapes, rounds: rounds)
    results += try decoding.run([Chain].self, group: "json-deep", Documents.deep, rounds: rounds)
    results += try decoding.run(FeedPage.self, group: "json-feeds", Documents.feeds, rounds: rounds)
    results += try EncodingComparison().page(rounds: rounds)
    print(results.json)
}
