internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
package import HeliumCore
internal import HeliumServerTesting
internal import Synchronization

/// Writes each request and its response or failure into a trace.
package struct TracingTransport: CooperativeTransport {
    private let base: any HTTPTransport
    private let trace: SimulationTrace
    private let lastNumber = SharedCount()

    package init(_ base: any HTTPTransport, _ trace: SimulationTrace) {
        self.base = base
        self.trace = trace
    }

    package func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let number = lastNumber.next()
        let body = try await request.collectedBody()
        trace.request(number, request.method.rawValue, request.url.target, body: body ?? Data())
        do throws(TransportFailure) {
            let response = try await base.execute(request)
            trace.response(number, status: response.head.status, body: response.collectedBody ?? Data())
            return response
        } catch {
            trace.failure(number, "\(error.kind) \(error.delivery)")
            throw error
        }
    }

    package func shutdown() async { await base.shutdown() }
}

/// Numbers from 1.
final class SharedCount: Sendable {
    private let value = Guarded(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
