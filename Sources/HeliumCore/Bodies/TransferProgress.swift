/// How far a body has got.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes so far: of an upload those handed to the transport, which may be up to half a megabyte ahead of the network;
    /// of a download those written to the file, what an earlier call left there included.
    public let completed: Int64

    /// Bytes of the whole; `nil` where that is not known.
    public let total: Int64?

    /// A progress.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, in 0 ... 1; `nil` where the total is not known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(completed) / Double($0))) : 1 }
    }
}
