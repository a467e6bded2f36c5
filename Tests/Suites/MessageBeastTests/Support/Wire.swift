import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import Synchronization

/// A transport that keeps the targets of requests, and does with them what a test asks for.
final class Wire: HTTPTransport {
    /// The treatment of a request.
    enum Treatment: Sendable {
        case pass
        case respond(TransportResponse)
        case fail(TransportFailure)
        /// Waits until the gate opens, then passes it on.
        case hold(Signal<Void>)
        /// Passes it on, and loses the response.
        case loseResponse
        /// Passes it on, and gives the response when the gate opens.
        case holdResponse(Signal<Void>)
        /// Passes it on, and fails when the gate opens.
        case holdFailure(Signal<Void>, TransportFailure)
        /// Passes it on twice, and gives the second response.
        case twice
    }

    typealias Rule = @Sendable (TransportRequest) -> Treatment

    private struct State {
        var requests: [String] = []
        var rule: Rule?
        var heldResponses = 0
    }

    private let next: any HTTPTransport
    private let state = Guarded(State())

    init(_ next: any HTTPTransport) { self.next = next }

    /// The method, path and query of each request.
    var requests: [String] { state.withLock { $0.requests } }

    /// The queries of the requests for pages of messages.
    var pages: [[String: String]] {
        requests.filter { $0.hasPrefix("GET ") && $0.contains("/messages?") }.map(Self.query)
    }

    func forget() { state.withLock { $0.requests = [] } }

    /// Decides on requests from now on.
    func set(_ rule: Rule?) { state.withLock { $0.rule = rule } }

    /// Fails the requests whose line has a text, as if the network was down.
    func fail(_ text: String = "", times: Int = .max, delivery: DeliveryState = .notSent) {
        let left = Guarded(times)
        set { request in
            guard text.isEmpty || Self.line(request).contains(text),
                left.withLock({ left in
                    defer { left -= 1 }
                    return left > 0
                })
            else { return .pass }
            return .fail(TransportFailure(.connectionFailed, delivery: delivery, message: "no network"))
        }
    }

    /// Loses the responses to the next requests that create messages.
    func loseResponses(times: Int) { treatPosts(times: times, as: .loseResponse) }

    /// Delivers the next requests that create messages twice.
    func repeatPosts(times: Int) { treatPosts(times: times, as: .twice) }

    /// Keeps the responses to requests that create messages.
    func holdResponses(until gate: Signal<Void>) { treatPosts(times: .max, as: .holdResponse(gate)) }

    /// The number of responses that are kept.
    var heldResponses: Int { state.withLock { $0.heldResponses } }

    private func treatPosts(times: Int, as treatment: Treatment) {
        let left = Guarded(times)
        set { request in
            guard request.method == .post, Self.line(request).contains("/messages") else { return .pass }
            let isDue = left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            return isDue ? treatment : .pass
        }
    }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let rule = state.withLock { state in
            state.requests.append(Self.line(request))
            return state.rule
        }
        switch rule?(request) ?? .pass {
        case .pass: return try await next.execute(request)
        case .respond(let response): return response
        case .fail(let failure): throw failure
        case .hold(let gate):
            do {
                try await gate.value()
            } catch {
                throw TransportFailure(.cancelled, delivery: .notSent, message: "cancelled")
            }
            return try await next.execute(request)
        case .loseResponse:
            _ = try await next.execute(request)
            throw TransportFailure(.connectionLost, delivery: .maybeSent, message: "the response was lost")
        case .holdResponse(let gate):
            let response = try await next.execute(request)
            state.withLock { $0.heldResponses += 1 }
            // Kept from the caller, not from the service: cancelling does not bring it sooner.
            _ = try? await gate.value()
            state.withLock { $0.heldResponses -= 1 }
            return response
        case .holdFailure(let gate, let failure):
            _ = try await next.execute(request)
            state.withLock { $0.heldResponses += 1 }
            _ = try? await gate.value()
            state.withLock { $0.heldResponses -= 1 }
            throw failure
        case .twice:
            _ = try await next.execute(request)
            return try await next.execute(request)
        }
    }

    func shutdown() async { await next.shutdown() }

    static func line(_ request: TransportRequest) -> String {
        "\(request.method.rawValue) \(request.url.target)"
    }

    private static func query(_ line: String) -> [String: String] {
        guard let items = URLComponents(string: String(line.dropFirst(4)))?.queryItems else { return [:] }
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
