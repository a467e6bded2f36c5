/// How long each phase of a transfer took: the differences of what ``TransferTimings`` counts from the start.
package struct PhaseDurations: Hashable, Sendable {
    /// Waiting for a connection.
    package var queue: Duration?
    /// Looking the host's name up; `nil` on a reused connection, as for the next two.
    package var nameLookup: Duration?
    /// The TCP handshake.
    package var connect: Duration?
    /// The TLS handshake.
    package var tls: Duration?
    /// Sending the request and waiting for the first byte of the answer.
    package var firstByte: Duration?
    /// From the first byte of the answer to its last.
    package var body: Duration?
    /// The whole transfer.
    package var total: Duration?

    /// The durations of a transfer, as far as it got. None is below zero.
    package init(_ timings: TransferTimings) {
        var last = Duration.zero
        func step(_ end: Duration?, isCounted: Bool = true) -> Duration? {
            guard let end else { return nil }
            let duration = max(end - last, .zero)
            last = max(last, end)
            return isCounted ? duration : nil
        }
        let isNew = !timings.isConnectionReused
        queue = step(timings.queue)
        nameLookup = step(timings.nameLookup, isCounted: isNew)
        connect = step(timings.connect, isCounted: isNew)
        tls = step(timings.tlsHandshake, isCounted: isNew)
        firstByte = step(timings.firstByte)
        body = timings.firstByte == nil ? nil : step(timings.total)
        total = timings.total
    }

    /// Each phase with its name, in their order.
    package var all: [(name: String, duration: Duration?)] {
        [
            ("queue", queue), ("name_lookup", nameLookup), ("connect", connect), ("tls", tls),
            ("first_byte", firstByte),
            ("body", body), ("total", total),
        ]
    }
}
