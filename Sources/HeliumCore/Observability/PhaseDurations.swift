/// The durations of the phases of a transfer: the differences of the times in ``TransferTimings``.
package struct PhaseDurations: Hashable, Sendable {
    /// The wait for a connection.
    package var queue: Duration?
    /// The look-up of the host's name; `nil` on a reused connection, like the next two.
    package var nameLookup: Duration?
    /// The TCP handshake.
    package var connect: Duration?
    /// The TLS handshake.
    package var tls: Duration?
    /// Sending the request and waiting for the first byte of the response.
    package var firstByte: Duration?
    /// The time from the first byte of the response to its last.
    package var body: Duration?
    /// The whole transfer.
    package var total: Duration?

    /// Creates the durations of a transfer, up to the last phase it reached. They are never negative.
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

    /// The phases with their names, in order.
    package var all: [(name: String, duration: Duration?)] {
        [
            ("queue", queue), ("name_lookup", nameLookup), ("connect", connect), ("tls", tls),
            ("first_byte", firstByte),
            ("body", body), ("total", total),
        ]
    }
}
