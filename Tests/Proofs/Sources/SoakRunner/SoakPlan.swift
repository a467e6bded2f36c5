import HeliumServer

/// The duration, the concurrency and the random numbers of a run.
struct SoakPlan {
    let seconds: Int
    let concurrency: Int
    let seed: UInt64
    let rounds: Int
    let roundSeconds: Int
    let liveUpdates: Int
    let liveCuts: Int
    let jetstreamCuts: Int
    let connects: Int

    init(environment: [String: String]) {
        seconds = max(1, environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 600)
        concurrency = max(1, environment["SOAK_CONCURRENCY"].flatMap { Int($0) } ?? 200)
        seed = environment["SOAK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)
        rounds = max(4, seconds / 20)
        roundSeconds = max(1, seconds / rounds)
        liveUpdates = max(1, environment["SOAK_LIVE_UPDATES"].flatMap { Int($0) } ?? 10_000)
        liveCuts = max(1, environment["SOAK_LIVE_CUTS"].flatMap { Int($0) } ?? 200)
        jetstreamCuts = max(1, environment["SOAK_JETSTREAM_CUTS"].flatMap { Int($0) } ?? 500)
        connects = max(1, environment["SOAK_CONNECTS"].flatMap { Int($0) } ?? 100_000)
    }
}

/// The server that does what it should.
struct SoakSite: Sendable {
    let server: ReadyInformation
    let authority: String
}
