internal import TestSupport

/// Makes inputs that repeat with their seed: pieces that mean something to a parser, and bytes that mean nothing.
package struct FuzzInput {
    private var random: SeededRandom
    private let pieces: [[UInt8]]

    package init(seed: UInt64, pieces: [String]) {
        random = SeededRandom(seed: seed)
        self.pieces = pieces.map { Array($0.utf8) }
    }

    /// The next input, of up to `count` pieces.
    package mutating func next(upTo count: Int = 24) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<random.below(count + 1) {
            if random.below(4) == 0 || pieces.isEmpty {
                for _ in 0...random.below(4) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            } else {
                bytes += pieces[random.below(pieces.count)]
            }
        }
        return bytes
    }
}

/// A violation of an invariant that an input revealed.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
