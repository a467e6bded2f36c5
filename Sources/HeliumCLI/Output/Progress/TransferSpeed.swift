/// The mean speed of a transfer since its first report. Bytes of an earlier download are not included.
struct TransferSpeed: Hashable {
    private struct Report: Hashable {
        let bytes: Int64
        let time: Duration
    }

    private var first: Report?

    /// Returns the number of bytes per second after this report; `nil` until some time has passed.
    ///
    /// A transfer with fewer bytes than before has been restarted.
    mutating func bytesPerSecond(_ bytes: Int64, at time: Duration) -> Double? {
        guard let first, bytes >= first.bytes, time > first.time else {
            first = Report(bytes: bytes, time: time)
            return nil
        }
        return Double(bytes - first.bytes) / ((time - first.time) / .seconds(1))
    }
}
