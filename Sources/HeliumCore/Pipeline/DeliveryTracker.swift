internal import Synchronization

/// The delivery state of a call's requests, readable while the task that sends them still runs.
///
/// A race returns to its caller before the operation has ended. The operation's own records are incomplete then, so
/// that a request in flight would count as not sent. A tracker is updated around each transfer instead: it is
/// `maybeSent` just before the transport is called, and then what the transport reports.
///
/// ``close()`` reads the state and rejects later transfers in one step, so nothing is sent after `notSent` was
/// reported.
final class DeliveryTracker: Sendable {
    private struct State {
        var furthest = DeliveryState.notSent
        var transfersInFlight = 0
        var isClosed = false
        /// Settled with the last report of the transfers in flight; `nil` if no task waits for it.
        var report: Signal<Void>?
    }

    private let parent: DeliveryTracker?
    private let reportLimit: Duration?
    private let state = Guarded(State())

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - parent: A tracker that receives the same reports. If it is closed, transfers are rejected here as well.
    ///   - reportLimit: The longest time that ``close()`` waits for the report of a cancelled transfer. After that the
    ///     transfer counts as `maybeSent`; see ``HTTPTransport/reportLimit``.
    init(parent: DeliveryTracker? = nil, reportLimit: Duration?) {
        self.parent = parent
        self.reportLimit = reportLimit
    }

    /// The furthest delivery state so far.
    var furthest: DeliveryState {
        state.withLock { $0.transfersInFlight > 0 ? max($0.furthest, .maybeSent) : $0.furthest }
    }

    /// Runs a transfer and records its delivery state.
    ///
    /// - Throws: The error that `transfer` throws. If the tracker is closed, ``FailureKind/cancelled`` without running
    ///   `transfer`.
    func track(
        _ transfer: () async throws(TransportFailure) -> TransportResponse
    ) async throws(TransportFailure) -> TransportResponse {
        guard begin() else {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call has ended")
        }
        do throws(TransportFailure) {
            let response = try await transfer()
            end(.answered)
            return response
        } catch {
            end(error.delivery)
            throw error
        }
    }

    /// Rejects transfers from now on, waits at most `reportLimit` for the report of one in flight, and returns the
    /// furthest delivery state. Call it when the task that transfers is cancelled or has ended.
    ///
    /// Cancelling the calling task does not shorten the wait, because it is usually cancelled already.
    func close() async -> DeliveryState {
        let report = state.withLock { state -> Signal<Void>? in
            state.isClosed = true
            if state.transfersInFlight > 0, state.report == nil { state.report = Signal() }
            return state.report
        }
        if let report { await wait(for: report) }
        return furthest
    }

    private func begin() -> Bool {
        guard parent?.begin() ?? true else { return false }
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            state.transfersInFlight += 1
            return true
        }
        if !isOpen { parent?.end(.notSent) }
        return isOpen
    }

    private func end(_ delivery: DeliveryState) {
        let report = state.withLock { state -> Signal<Void>? in
            state.furthest = max(state.furthest, delivery)
            state.transfersInFlight -= 1
            return state.transfersInFlight == 0 ? state.report : nil
        }
        report?.settle()
        parent?.end(delivery)
    }

    private func wait(for report: Signal<Void>) async {
        // Uses the system's clock, because a test's clock may be stopped, and a transport that does not end must not
        // block its caller.
        let timer = reportLimit.map { limit in
            Task {
                do { try await Task.sleep(for: limit, clock: .continuous) } catch { return }
                report.settle()
            }
        }
        try? await report.valueIgnoringCancellation()
        timer?.cancel()
    }
}
