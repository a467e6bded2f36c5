/// A transport whose transfers are known to end when their task is cancelled, so that a timer of the system is not needed. That of
/// the simulation, whose runs must not depend on the time that they take.
package protocol CooperativeTransport: HTTPTransport {}

extension HTTPTransport {
    /// The longest time that a caller waits for the report of a transfer that was cancelled. Transports end at once when their
    /// task is cancelled; this is for those of somebody else's that don't.
    var reportLimit: Duration? { self is any CooperativeTransport ? nil : .milliseconds(250) }

    /// Sends `request`, but returns at the latest when the deadline has passed, `closing` is raised, or the calling task
    /// is cancelled: a transport of somebody else's can't hold its caller.
    ///
    /// The failure tells how far the request got, as far as the transport reports it after its cancellation.
    ///
    /// - Parameter parent: Learns how far the request got. Default: nobody else does.
    func execute(
        _ request: TransportRequest,
        within deadline: Deadline,
        closing: Signal<Void>?,
        parent: DeliveryTracker? = nil
    ) async throws(TransportFailure) -> TransportResponse {
        let tracker = DeliveryTracker(parent: parent, reportLimit: reportLimit)
        do {
            return try await deadline.race(closing: closing) {
                try await tracker.track { () throws(TransportFailure) in try await execute(request) }
            }
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            let delivery = await tracker.close()
            switch error {
            case is DeadlineExceeded:
                throw TransportFailure(
                    .timedOut,
                    delivery: delivery,
                    message: "the call's time ran out",
                    phase: .total
                )
            case is ClientClosed:
                throw TransportFailure(.clientClosed, delivery: delivery, message: "the client was closed")
            default:
                throw TransportFailure(.cancelled, delivery: delivery, message: "the call was cancelled")
            }
        }
    }

    /// Sends `request` within its ``PhaseTimeouts/total``, which `clock` measures unless the transport does so itself.
    package func execute(
        _ request: TransportRequest,
        by clock: any HeliumClock
    ) async throws(TransportFailure) -> TransportResponse {
        if keepsDeadlines { return try await execute(request) }
        return try await execute(request, within: Deadline(after: request.timeouts.total, clock: clock), closing: nil)
    }
}
