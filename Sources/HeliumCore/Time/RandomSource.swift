/// Where random numbers come from: injectable, so that tests repeat.
public struct RandomSource: Sendable {
    private let generate: @Sendable () -> UInt64

    /// A source that calls `generate` for each number; it may be called from several threads at once.
    public init(_ generate: @escaping @Sendable () -> UInt64) { self.generate = generate }

    /// The system's generator.
    public static let system = RandomSource { .random(in: .min ... .max) }

    /// 64 random bits.
    package func bits() -> UInt64 { generate() }

    /// A number in 0 ..< 1 with 53 random bits.
    public func unit() -> Double { Double(generate() >> 11) * 0x1p-53 }
}
