import BenchmarkHarness

let decoding = DecodingComparison()
let rounds = 9
var results = try decoding.page(rounds: rounds)
results += try decoding.run([Message].self, "single", Documents.single, rounds: rounds)
results += try decoding.run([Reading].self, "numbers", Documents.numbers, rounds: rounds)
results += try decoding.run([String].self, "escapes", Documents.escapes, rounds: rounds)
results += try decoding.run([Chain].self, "deep", Documents.deep, rounds: rounds)
results += try decoding.run(FeedPage.self, "feeds", Documents.feeds, rounds: rounds)
print(results.json)
