import Cosm
import Foundation
import TestSupport
import Testing

@Suite("Damaged documents")
struct DamagedDocumentTests {
    /// Takes bytes out, doubles them, or puts others in their place.
    private func damaged(_ data: Data, _ random: inout SeededRandom) -> Data {
        var bytes = Array(data)
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(bytes[random.below(bytes.count)], at: index)
            case 2: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            default: bytes.removeSubrange(index..<min(index + random.below(40), bytes.count))
            }
        }
        return Data(bytes)
    }

    @Test("a damaged document is decoded or refused with a reason", .tags(.random))
    func damage() {
        var random = ProofLength.random(seed: 801)
        var (read, refused) = (0, 0)
        for test in FixtureTests.cases {
            // Foundation's XML parser is given the most: it traps on what should be an error.
            for _ in 0..<ProofLength.count(test.format == .xml ? 100 : 10) {
                let data = damaged(test.document.contents, &random)
                do {
                    _ = try test.kind.read(data, as: test.format, dialect: test.dialect)
                    read += 1
                } catch {
                    #expect((error as? CosmDocumentError)?.reason.isEmpty == false, "\(test): \(error)")
                    refused += 1
                }
            }
        }
        #expect(read > 100 && refused > 100)
    }
}
