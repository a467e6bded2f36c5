package import GRDB
package import HeliumCore
package import HeliumDatabase

extension Gate {
    /// `base` through the gate. Calls fail with kind `clientClosed` once it is shut; requests that have left go on.
    package func gated(_ base: any HTTPTransport) -> any HTTPTransport { GatedTransport(base: base, gate: self) }

    /// `base` through the gate. Pauses throw ``Shut`` once it is shut, also those under way.
    package func gated(_ base: any HeliumClock) -> any HeliumClock { GatedClock(base: base, gate: self) }

    /// Inline access to `database` through the gate. Once it is shut, accesses throw ``Shut``, and a transaction under way is
    /// rolled back. The places are `read`, `write`, `commit` and `committed`. ``failDatabase(_:)`` fails the first three.
    package func gated(_ database: any DatabaseWriter) -> DatabaseAccess {
        DatabaseAccess(
            database,
            .inline,
            passing: { [self] passage in
                WriteNote.current?.pass(passage, database)
                try pass("\(passage)")
                // A transaction that has ended does not fail.
                if passage != .committed, takeFailure() { throw DatabaseError(resultCode: .SQLITE_BUSY) }
            }
        )
    }
}

private struct GatedTransport: CooperativeTransport {
    let base: any HTTPTransport
    let gate: Gate

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        WriteNote.current?.noteRequest()
        try pass("request", .notSent)
        let result: Result<TransportResponse, TransportFailure>
        do throws(TransportFailure) {
            result = .success(try await base.execute(request))
        } catch {
            result = .failure(error)
        }
        try pass("response", .maybeSent)
        return try result.get()
    }

    /// The network of a device outlives the incarnations of its engine.
    func shutdown() async {}

    private func pass(_ place: String, _ delivery: DeliveryState) throws(TransportFailure) {
        do throws(Gate.Shut) {
            try gate.pass(place)
        } catch {
            throw TransportFailure(.clientClosed, delivery: delivery, message: "the incarnation was killed")
        }
    }
}

private struct GatedClock: HeliumClock {
    let base: any HeliumClock
    let gate: Gate

    var wallTime: Duration { base.wallTime }
    var uptime: Duration { base.uptime }

    func sleep(for duration: Duration) async throws {
        try await wait { try await base.sleep(for: duration) }
    }

    func waitForDeadline(at uptime: Duration) async throws {
        try await wait { try await base.waitForDeadline(at: uptime) }
    }

    private func wait(_ pause: @escaping @Sendable () async throws -> Void) async throws {
        try gate.pass("sleep")
        let task = Task { try await pause() }
        let action = gate.onShut { task.cancel() }
        defer { gate.removeAction(action) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        try gate.pass("wake")
        try result.get()
    }
}
