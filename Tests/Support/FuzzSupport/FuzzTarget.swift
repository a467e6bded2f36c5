internal import TestSupport

/// Something that takes bytes from outside, with examples of what it is meant to take.
package struct FuzzTarget: Sendable {
    /// The longest input, in bytes.
    package static let inputLimit = 64 << 10

    /// The name on the command line.
    package let name: String

    /// Inputs it accepts; most inputs are these with some changes.
    package let examples: [[UInt8]]

    /// Pieces that mean something to it.
    package let pieces: [[UInt8]]

    /// The number of inputs of a whole run.
    package let count: Int

    /// Takes any bytes; throws a ``FuzzFinding`` for what must never be. A trap is a finding too.
    package let check: @Sendable ([UInt8]) async throws -> Void

    package init(
        _ name: String,
        examples: [String],
        pieces: [String],
        count: Int = 1_000_000,
        check: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        let bytes = { (texts: [String]) in texts.map { Array($0.utf8) } }
        self.init(name, exampleBytes: bytes(examples), pieceBytes: bytes(pieces), count: count, check: check)
    }

    /// Creates a target that takes no text.
    package init(
        _ name: String,
        exampleBytes: [[UInt8]],
        pieceBytes: [[UInt8]],
        count: Int = 1_000_000,
        check: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.name = name
        examples = exampleBytes
        pieces = pieceBytes
        self.count = count
        self.check = check
    }
}

extension FuzzTarget {
    /// One of the inputs that a seed stands for. Each can be made without those before it.
    package func input(_ round: Int, seed: UInt64) -> [UInt8] {
        var start = SeededRandom(seed: seed ^ UInt64(truncatingIfNeeded: round) &* 0xD134_2543_DE82_EF95)
        var random = SeededRandom(seed: start.next())
        var bytes = random.below(4) == 0 ? noise(&random) : mutant(&random)
        if bytes.count > Self.inputLimit { bytes.removeSubrange(Self.inputLimit...) }
        return bytes
    }

    private func noise(_ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<random.below(25) {
            if pieces.isEmpty || random.below(4) == 0 {
                for _ in 0...random.below(4) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            } else {
                bytes += pieces[random.below(pieces.count)]
            }
        }
        return bytes
    }

    /// An example with none to five changes.
    private func mutant(_ random: inout SeededRandom) -> [UInt8] {
        guard !examples.isEmpty else { return noise(&random) }
        var bytes = examples[random.below(examples.count)]
        for _ in 0..<random.below(6) { change(&bytes, &random) }
        return bytes
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let place = random.below(bytes.count + 1)
        let end = min(bytes.count, place + 1 + random.below(8))
        let piece = pieces.isEmpty ? [] : pieces[random.below(pieces.count)]
        switch random.below(9) {
        case 0: bytes.insert(contentsOf: piece, at: place)
        case 1: bytes.replaceSubrange(place..<end, with: piece)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 5 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 6 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 7 where random.below(4) == 0: bytes.removeSubrange(place...)
        default:
            // The end of another example.
            let other = examples[random.below(examples.count)]
            bytes.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
        }
    }
}
