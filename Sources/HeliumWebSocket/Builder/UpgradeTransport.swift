internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import Synchronization

/// The transport of one call that opens a WebSocket. Its requests become upgrade requests, each on a new connection of the
/// client's own transport.
///
/// With it the call is like every other call, with the gate, interceptors, authorization, retries and observers. The client
/// ends its transfers, because they end when their task is cancelled.
final class UpgradeTransport: HTTPTransport {
    private let base: CurlTransport
    private let options: WebSocketOptions
    private let secrets: @Sendable () -> [String]
    private let opened = Guarded<WebSocket?>(nil)

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - base: The transport on whose loop the connections live.
    ///   - options: The settings of the WebSocket. Their fields and the limit of connecting are those of each request.
    ///   - secrets: Returns the texts to mask in errors.
    init(on base: CurlTransport, options: WebSocketOptions, secrets: @escaping @Sendable () -> [String]) {
        self.base = base
        self.options = options
        self.secrets = secrets
    }

    /// Returns the WebSocket that the last accepted request has opened, once; `nil` if there was none.
    func take() -> WebSocket? { opened.withLock { $0.take() } }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard request.method == .get, request.body == nil, request.upload == nil else {
            let message = "the request of a WebSocket must be a GET without a body"
            throw TransportFailure(.invalidRequest, delivery: .notSent, message: message)
        }
        let clock = options.clock
        let began = clock.uptime
        let attempt = DialAttempt()
        var timings: TransferTimings {
            var timings = attempt.timings
            timings.total = clock.uptime - began
            timings.firstByte = timings.total
            return timings
        }
        do {
            let (socket, head) = try await open(for: request, attempt)
            // An earlier one, of which no caller knows, closes when it is released: outside of the lock.
            _ = opened.withLock { opened in
                defer { opened = socket }
                return opened
            }
            return TransportResponse(head: head, body: .collected(Data()), timings: timings)
        } catch let error as HeliumError {
            if error.kind == .unacceptableStatus, error.delivery == .answered, let head = error.head {
                return TransportResponse(head: head, body: .collected(error.body ?? Data()), timings: timings)
            }
            let failure = TransportFailure(error, timings: attempt.timings)
            // The client acts on a rejection also if its body takes too long.
            guard let refusal = attempt.refusal else { throw failure }
            throw failure.ending(TransportResponse(head: refusal, body: .collected(Data()), timings: timings))
        } catch {
            throw TransportFailure(.cancelled, delivery: attempt.delivery, message: "the call was cancelled")
        }
    }

    private func open(
        for request: TransportRequest,
        _ attempt: DialAttempt
    ) async throws -> (socket: WebSocket, head: ResponseHead) {
        var options = options
        options.fields = request.fields
        let plan = try DialPlan(WebSocketAddress(request.url), options, secrets: secrets(), on: base)
        return try await plan.open(
            attempt,
            limits: .each(connect: request.timeouts.connect, response: request.timeouts.firstByte),
            headLimit: request.limits.headerBytes,
            bodyLimit: TransportFailure.keptBodyBytes
        )
    }

    /// Does nothing: the client shuts its own transport down.
    func shutdown() async {}
}

extension TransportFailure {
    /// Creates the failure of an upgrade request. If libcurl could not connect, it has libcurl's code and timings.
    fileprivate init(_ error: HeliumError, timings: TransferTimings) {
        let cause = error.underlying as? TransportFailure
        self.init(
            error.kind,
            delivery: error.delivery,
            message: error.message,
            phase: error.phase,
            ceiling: error.ceiling,
            code: cause?.code ?? error.code,
            timings: cause?.timings ?? timings,
            underlying: cause == nil ? error.underlying : nil
        )
    }
}
