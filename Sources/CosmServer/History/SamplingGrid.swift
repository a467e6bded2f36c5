internal import HeliumServerKit

/// The instants at which history is sampled: midnight UTC and multiples of the interval after it
/// (Docs/Protocols/Cosm.md §4).
///
/// Every allowed interval divides a day, so these are the multiples of the interval since 1970.
struct SamplingGrid: Hashable, Sendable {
    /// The distance between two instants, in microseconds.
    let step: Int64

    init(seconds: Int) { step = Int64(seconds) * ServerInstant.perSecond }

    /// Returns the last grid instant at or before an instant.
    func floor(_ instant: ServerInstant) -> ServerInstant {
        let rest = instant.microseconds % step
        return ServerInstant(microseconds: instant.microseconds - (rest < 0 ? rest + step : rest))
    }

    /// Returns the first grid instant at or after an instant.
    func ceiling(_ instant: ServerInstant) -> ServerInstant {
        let floor = floor(instant)
        return floor == instant ? floor : next(floor)
    }

    func next(_ instant: ServerInstant) -> ServerInstant { ServerInstant(microseconds: instant.microseconds + step) }

    func previous(_ instant: ServerInstant) -> ServerInstant {
        ServerInstant(microseconds: instant.microseconds - step)
    }
}
