/// Where random numbers come from: injectable, so that tests repeat.
public struct RandomSource: Sendable {
    private let generate: @Sendable () -> UInt64
    /// Fills memory at once, where that is cheaper than number by number; `false` if it can't.
    private let fill: (@Sendable (UnsafeMutableRawBufferPointer) -> Bool)?

    /// A source that calls `generate` for each number; it may be called from several threads at once.
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

    /// 64 random bits.
    public func bits() -> UInt64 { generate() }

    /// So many times 64 random bits: one system call where one for each number would cost more than their use.
    package func bits(count: Int) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: count) { words, initialized in
            if fill?(UnsafeMutableRawBufferPointer(words)) != true {
                for index in 0..<count { words.initializeElement(at: index, to: generate()) }
            }
            initialized = count
        }
    }

    /// A number in 0 ..< 1 with 53 random bits.
    public func unit() -> Double { Double(generate() >> 11) * 0x1p-53 }
}
