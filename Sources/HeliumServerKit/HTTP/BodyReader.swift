/// Reads the body of a request within a size limit, a time limit and a minimum rate.
struct BodyReader: Sendable {
    /// The time without progress after which the connection is closed.
    let time: Duration
    /// The minimum rate. Each byte adds the time in which it has to arrive to the remaining time, up to ``time``.
    let bytesPerSecond: Int
    /// The maximum number of bytes that are kept.
    let maximumBytes: Int
    /// The length that the head declares; `nil` if it does not declare one.
    let declaredBytes: Int?

    init(_ limits: ServerLimits, maximumBytes: Int, declaredBytes: Int?) {
        time = limits.body
        bytesPerSecond = limits.bodyBytesPerSecond
        self.maximumBytes = maximumBytes
        self.declaredBytes = declaredBytes
    }

    enum Outcome: Sendable {
        case whole([UInt8])
        /// The body is longer than ``maximumBytes``. `isDrained` indicates whether it was read to its end and
        /// discarded.
        case tooLong(isDrained: Bool)
        /// The bodies of all connections together exceed their limit.
        case noRoom(isDrained: Bool)
    }

    /// Reads `body` and takes its bytes from `share`.
    func read(_ body: some IncomingBody, from share: inout BodyBudget.Share) async throws -> Outcome {
        try await body.limited(to: time) { extend in
            var bytes: [UInt8] = []
            var count = 0
            var hasRoom = true
            // A body whose declared length exceeds the limit is not kept.
            var isKept = declaredBytes ?? 0 <= maximumBytes
            for try await chunk in body.chunks {
                count += chunk.count
                extend(timeOf(chunk.count))
                if isKept, count > maximumBytes { isKept = false }
                if isKept, !share.take(chunk.count) { (isKept, hasRoom) = (false, false) }
                if isKept {
                    bytes.append(contentsOf: chunk)
                    continue
                }
                bytes = []
                share.release()
                // A client that sends a complete body before it reads the response gets the rejection only if its body
                // is read.
                guard count <= patience else { return hasRoom ? .tooLong(isDrained: false) : .noRoom(isDrained: false) }
            }
            if !hasRoom { return .noRoom(isDrained: true) }
            return isKept ? .whole(bytes) : .tooLong(isDrained: true)
        }
    }

    /// Reads and discards `body`, as far as the limits allow.
    ///
    /// - Returns: Whether it was read to its end.
    func drain(_ body: some IncomingBody) async throws -> Bool {
        try await body.limited(to: time) { extend in
            var count = 0
            for try await chunk in body.chunks {
                count += chunk.count
                extend(timeOf(chunk.count))
                if count > patience { return false }
            }
            return true
        }
    }

    private func timeOf(_ bytes: Int) -> Duration { .seconds(Double(bytes) / Double(bytesPerSecond)) }

    private var patience: Int {
        let (patience, overflow) = maximumBytes.multipliedReportingOverflow(by: 8)
        return overflow ? .max : patience
    }
}
