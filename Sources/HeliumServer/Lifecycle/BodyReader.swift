internal import Hummingbird
internal import NIOCore

/// Reads a request's body within a number of bytes and a time.
struct BodyReader: Sendable {
    let limits: ServerLimits

    enum Outcome: Sendable {
        case whole([UInt8])
        /// Longer than allowed. What followed was read over; `isDrained` tells whether to its end.
        case tooLong(isDrained: Bool)
    }

    /// Reads `body`; the connection is closed where it takes too long, which ends the reading with an error.
    func read(_ body: RequestBody, on channel: any Channel) async throws -> Outcome {
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.body)) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        var bytes: [UInt8] = []
        var count = 0
        // A client that sends a body before it reads the answer gets the 413 only if somebody reads what it sends.
        let (patience, overflow) = limits.bodyBytes.multipliedReportingOverflow(by: 8)
        for try await chunk in body {
            count += chunk.readableBytes
            if count <= limits.bodyBytes {
                bytes.append(contentsOf: chunk.readableBytesView)
            } else {
                bytes = []
                if count > (overflow ? .max : patience) { return .tooLong(isDrained: false) }
            }
        }
        return count <= limits.bodyBytes ? .whole(bytes) : .tooLong(isDrained: true)
    }
}
