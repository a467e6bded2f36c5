import BenchmarkHarness

let digests = DigestComparison()
var results: [OperationResult] = []
for size in [200, 64 * 1024] {
    results += try digests.run(bytes: size, rounds: 7)
}
results += try KeyComparison().run(bytes: 200, rounds: 7)
print(results.json)
