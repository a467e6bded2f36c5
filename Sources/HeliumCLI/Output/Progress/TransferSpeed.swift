/// The mean speed of a transfer since its first report: what an earlier download left does not count.
struct TransferSpeed: Hashable {
    private struct Report: Hashable {
        let bytes: Int64
        let time: Duration
    }

    private var first: Report?

    /// Bytes per second after this report; `nil` until some time has passed.
    ///
    /// A transfer that has less than before has begun anew.
    mutating func bytesPerSecond(_ bytes: Int64, at time: Duration) -> Double? {
        guard let first, bytes >= first.bytes, time > first.time else {
            first = Report(bytes: bytes, time: time)
            return nil
        }
        return Double(bytes - first.bytes) / ((time - first.time) / .seconds(1))
    }
}
