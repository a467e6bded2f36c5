/// A transport whose transfers always end when their task is cancelled, so that no timer of the system is needed. The
/// simulation's transport conforms, because its runs must not depend on real time.
package protocol CooperativeTransport: HTTPTransport {}

extension HTTPTransport {
    /// The longest time that a caller waits for the report of a cancelled transfer. Transports should end at once when
    /// their task is cancelled; this limits those of third parties that do not.
    var reportLimit: Duration? { Self.self is any CooperativeTransport.Type ? nil : .milliseconds(250) }

    /// Sends `request`, and returns at the latest when the deadline has passed, `closing` is settled, or the calling
    /// task is cancelled. A third-party transport can't block its caller.
    ///
    /// The failure contains the delivery state, as far as the transport reports it after its cancellation.
    ///
    /// - Parameter parent: A tracker that receives the delivery state too. Default: none.
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
                    message: "the call timed out",
                    phase: .total
                )
            case is ClientClosed:
                throw TransportFailure(.clientClosed, delivery: delivery, message: "the client was closed")
            default:
                throw TransportFailure(.cancelled, delivery: delivery, message: "the call was cancelled")
            }
        }
    }

    /// Sends `request` within its ``PhaseTimeouts/total``. `clock` measures the time unless the transport enforces the
    /// limit itself.
    package func execute(
        _ request: TransportRequest,
        by clock: any HeliumClock
    ) async throws(TransportFailure) -> TransportResponse {
        if keepsDeadlines { return try await execute(request) }
        return try await execute(request, within: Deadline(after: request.timeouts.total, clock: clock), closing: nil)
    }
}
