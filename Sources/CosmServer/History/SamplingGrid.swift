internal import HeliumServerKit

/// The instants at which history is sampled: midnight UTC and every interval from there (§4).
///
/// Every allowed interval divides a day, so these are the multiples of the interval since 1970.
struct SamplingGrid: Hashable, Sendable {
    /// Microseconds.
    let step: Int64

    init(seconds: Int) { step = Int64(seconds) * ServerInstant.perSecond }

    /// The last grid instant at or before an instant.
    func floor(_ instant: ServerInstant) -> ServerInstant {
        let rest = instant.microseconds % step
        return ServerInstant(microseconds: instant.microseconds - (rest < 0 ? rest + step : rest))
    }

    /// The first grid instant at or after an instant.
    func ceiling(_ instant: ServerInstant) -> ServerInstant {
        let floor = floor(instant)
        return floor == instant ? floor : next(floor)
    }

    func next(_ instant: ServerInstant) -> ServerInstant { ServerInstant(microseconds: instant.microseconds + step) }

    func previous(_ instant: ServerInstant) -> ServerInstant {
        ServerInstant(microseconds: instant.microseconds - step)
    }
}
