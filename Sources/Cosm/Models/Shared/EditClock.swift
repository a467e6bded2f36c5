internal import Synchronization

/// Numbers in the order of events, one row for all models: what was asked for, edited or saved earlier has the lower one.
///
/// One row for all, so that the number at which a feed was asked for also tells about its datastreams.
enum EditClock {
    private static let last = Atomic<UInt64>(0)

    /// The number of an event that happens now.
    static func tick() -> UInt64 { last.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
