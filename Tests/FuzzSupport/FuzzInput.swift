/// Makes inputs that repeat with their seed: pieces that mean something to a parser, and bytes that mean nothing.
package struct FuzzInput {
    private var state: UInt64
    private let pieces: [[UInt8]]

    package init(seed: UInt64, pieces: [String]) {
        state = seed
        self.pieces = pieces.map { Array($0.utf8) }
    }

    /// The next input, of up to `count` pieces.
    package mutating func next(upTo count: Int = 24) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<below(count + 1) {
            if below(4) == 0 || pieces.isEmpty {
                for _ in 0...below(4) { bytes.append(UInt8(truncatingIfNeeded: random())) }
            } else {
                bytes += pieces[below(pieces.count)]
            }
        }
        return bytes
    }

    private mutating func below(_ bound: Int) -> Int { Int(random() % UInt64(bound)) }

    /// SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What an input showed that must never be.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
