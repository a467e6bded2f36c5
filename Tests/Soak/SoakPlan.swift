import HeliumServer

/// How long, how many, and which random numbers.
struct SoakPlan {
    let seconds: Int
    let concurrency: Int
    let seed: UInt64
    let rounds: Int
    let roundSeconds: Int

    init(environment: [String: String]) {
        seconds = max(1, environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 600)
        concurrency = max(1, environment["SOAK_CONCURRENCY"].flatMap { Int($0) } ?? 200)
        seed = environment["SOAK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)
        rounds = max(4, seconds / 20)
        roundSeconds = max(1, seconds / rounds)
    }
}

/// The server that does what it should.
struct SoakSite: Sendable {
    let server: ReadyInformation
    let authority: String
}

/// Random numbers that repeat with their seed (SplitMix64).
struct SoakRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
