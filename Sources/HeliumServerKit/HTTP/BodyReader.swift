/// Reads a request's body within a number of bytes and a time.
struct BodyReader: Sendable {
    /// The longest a body may take to arrive.
    let time: Duration
    /// The longest body that is kept.
    let maximumBytes: Int
    /// The length that the head declares; `nil` if it declares none.
    let declaredBytes: Int?

    enum Outcome: Sendable {
        case whole([UInt8])
        /// The body is longer than ``maximumBytes``. `isDrained` tells whether it was read over to its end.
        case tooLong(isDrained: Bool)
        /// All connections together hold too much.
        case noRoom(isDrained: Bool)
    }

    /// Reads `body` and takes its bytes from `share`.
    func read(_ body: some IncomingBody, from share: inout BodyBudget.Share) async throws -> Outcome {
        try await body.limited(to: time) {
            var bytes: [UInt8] = []
            var count = 0
            var hasRoom = true
            // What is declared to be too long is not kept at all.
            var isKept = declaredBytes ?? 0 <= maximumBytes
            for try await chunk in body.chunks {
                count += chunk.count
                if isKept, count > maximumBytes { isKept = false }
                if isKept, !share.take(chunk.count) { (isKept, hasRoom) = (false, false) }
                if isKept {
                    bytes.append(contentsOf: chunk)
                    continue
                }
                bytes = []
                share.release()
                // A client that sends a body before it reads the answer gets the refusal only if its body is read.
                guard count <= patience else { return hasRoom ? .tooLong(isDrained: false) : .noRoom(isDrained: false) }
            }
            if !hasRoom { return .noRoom(isDrained: true) }
            return isKept ? .whole(bytes) : .tooLong(isDrained: true)
        }
    }

    /// Reads `body` over without keeping it, as far as the limits allow.
    ///
    /// - Returns: whether it was read to its end
    func drain(_ body: some IncomingBody) async throws -> Bool {
        try await body.limited(to: time) {
            var count = 0
            for try await chunk in body.chunks {
                count += chunk.count
                if count > patience { return false }
            }
            return true
        }
    }

    private var patience: Int {
        let (patience, overflow) = maximumBytes.multipliedReportingOverflow(by: 8)
        return overflow ? .max : patience
    }
}
