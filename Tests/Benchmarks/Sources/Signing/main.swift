import Foundation

let digests = DigestComparison()
var results: [SigningResult] = []
for size in [200, 64 * 1024] {
    results += digests.run(bytes: size, rounds: 7)
}
results += try KeyComparison().run(bytes: 200, rounds: 7)
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print(String(decoding: try encoder.encode(results), as: UTF8.self))
