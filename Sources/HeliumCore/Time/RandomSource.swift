/// A source of random numbers, which can be replaced so that tests are repeatable.
public struct RandomSource: Sendable {
    private let generate: @Sendable () -> UInt64
    /// Fills memory in one step, which is cheaper than single numbers. Returns `false` if it fails.
    private let fill: (@Sendable (UnsafeMutableRawBufferPointer) -> Bool)?

    /// Creates a source that calls `generate` for each number. `generate` may be called from several threads at once.
    public init(_ generate: @escaping @Sendable () -> UInt64) {
        self.generate = generate
        fill = nil
    }

    private init(
        _ generate: @escaping @Sendable () -> UInt64,
        fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Bool
    ) {
        self.generate = generate
        self.fill = fill
    }

    /// The system's generator.
    public static let system = RandomSource({ .random(in: .min ... .max) }, fill: SystemEntropy.fill)

    /// Returns 64 random bits.
    public func bits() -> UInt64 { generate() }

    /// Returns `count` numbers of 64 random bits. One system call is cheaper than one per number.
    package func bits(count: Int) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: count) { words, initialized in
            if fill?(UnsafeMutableRawBufferPointer(words)) != true {
                for index in 0..<count { words.initializeElement(at: index, to: generate()) }
            }
            initialized = count
        }
    }

    /// Returns a number in 0 ..< 1 with 53 random bits.
    public func unit() -> Double { Double(generate() >> 11) * 0x1p-53 }
}
