import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumServerTesting
import HeliumTesting
import Synchronization

/// Checks each request of the engines against what they could know: a message is never sent while another engine sends it,
/// nor again before the service was asked for it, nor if the service has said that it is there.
final class SendingRules: Sendable {
    private struct Attempt {
        var engine: String
        var isAlive: @Sendable () -> Bool
        var isUnderWay = true
        /// Whether the request may have taken effect.
        var isUnknown = true
        /// The moment of its end.
        var end = Int.max
    }

    private struct State {
        var moment = 0
        var attempts: [String: [Attempt]] = [:]
        /// The moments at which messages arrived at the service, by token.
        var arrivals: [String: [(id: String, moment: Int)]] = [:]
        /// The bodies with which messages arrived, by the id that the service gave them.
        var bodies: [String: Data] = [:]
        var deleted: Set<String> = []
        /// The moments of the requests for lists, by device and channel.
        var listings: [String: [Int]] = [:]
        var violations: [String] = []

        /// An attempt of a killed engine ends with the engine, whenever its request does.
        mutating func endKilled() {
            moment += 1
            for (token, attempts) in attempts {
                for (number, attempt) in attempts.enumerated() where attempt.isUnderWay && !attempt.isAlive() {
                    self.attempts[token]?[number].isUnderWay = false
                    self.attempts[token]?[number].end = moment
                }
            }
        }
    }

    private let state = Guarded(State())

    /// The rules that were broken.
    var violations: [String] { state.withLock { $0.violations } }

    // MARK: The side of the service

    func arrived(_ token: String, as id: String, _ body: Data?) {
        state.withLock { state in
            state.moment += 1
            state.bodies[id] = body
            state.arrivals[token, default: []].append((id, state.moment))
        }
    }

    /// Whether two ids are those of one message, which has arrived twice.
    func areCopies(_ id: String, _ other: String) -> Bool {
        state.withLock { state in
            state.arrivals.values.contains { arrivals in
                arrivals.contains { $0.id == id } && arrivals.contains { $0.id == other }
            }
        }
    }

    /// Whether the service has a copy of a message, which has arrived twice, beside the message itself.
    func hasCopy(of id: String) -> Bool {
        state.withLock { state in
            state.arrivals.values.contains { arrivals in
                arrivals.contains { $0.id == id }
                    && arrivals.contains { $0.id != id && !state.deleted.contains($0.id) }
            }
        }
    }

    /// The body of the request that has created a message.
    func body(of id: String) -> Data? { state.withLock { $0.bodies[id] } }

    /// The token with which a message has arrived.
    func token(of id: String) -> String? {
        state.withLock { state in state.arrivals.first { $0.value.contains { $0.id == id } }?.key }
    }

    func deleted(_ id: String) { state.withLock { state in _ = state.deleted.insert(id) } }

    // MARK: The side of an engine

    func listed(_ channel: String, by device: String) {
        state.withLock { state in
            state.endKilled()
            state.moment += 1
            state.listings["\(device) \(channel)", default: []].append(state.moment)
        }
    }

    func heldTemporaryID(_ request: String) { state.withLock { $0.violations.append("a temporary id in \(request)") } }

    /// Notes that a message is sent.
    ///
    /// - Returns: The number of the attempt.
    func began(
        _ token: String,
        in channel: String,
        by engine: String,
        of device: String,
        isAlive: @escaping @Sendable () -> Bool
    ) -> Int {
        state.withLock { state in
            state.endKilled()
            state.moment += 1
            let earlier = state.attempts[token] ?? []
            if let other = earlier.first(where: { $0.isUnderWay && $0.engine != engine }) {
                state.violations.append("\(engine) sends a message that \(other.engine) is sending")
            }
            if let last = earlier.last(where: { $0.isUnknown }) {
                let listings = state.listings["\(device) \(channel)"] ?? []
                if let asked = listings.first(where: { $0 > last.end }) {
                    let known = state.arrivals[token]?.contains {
                        $0.moment < asked && !state.deleted.contains($0.id)
                    }
                    if known == true {
                        state.violations.append("\(engine) sends a message that the service has listed")
                    }
                } else {
                    state.violations.append("\(engine) sends a message again without having asked for it")
                }
            }
            state.attempts[token, default: []].append(Attempt(engine: engine, isAlive: isAlive))
            return earlier.count
        }
    }

    /// Notes the end of an attempt.
    func ended(_ token: String, _ number: Int, isUnknown: Bool) {
        state.withLock { state in
            guard state.attempts[token]?.indices.contains(number) == true,
                state.attempts[token]?[number].isUnderWay == true
            else { return }
            state.moment += 1
            state.attempts[token]?[number].isUnderWay = false
            state.attempts[token]?[number].isUnknown = isUnknown
            state.attempts[token]?[number].end = state.moment
        }
    }
}

/// The requests of one engine, above the network.
struct WatchedTransport: CooperativeTransport {
    let base: any HTTPTransport
    let rules: SendingRules
    let engine: String
    let device: String
    let gate: Gate

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let facts = RequestFacts(request, body: try await request.collectedBody())
        if facts.hasTemporaryID { rules.heldTemporaryID("\(request.method.rawValue) \(request.url.target)") }
        if case .listing = facts.kind, let channel = facts.channel { rules.listed(channel, by: device) }
        guard case .creation(let token) = facts.kind else { return try await base.execute(request) }
        let gate = gate
        let number = rules.began(
            token,
            in: facts.channel ?? "",
            by: engine,
            of: device,
            isAlive: { !gate.isShut }
        )
        do throws(TransportFailure) {
            let response = try await base.execute(request)
            rules.ended(token, number, isUnknown: !Self.isRefusal(response.head.status))
            return response
        } catch {
            rules.ended(token, number, isUnknown: error.delivery != .notSent)
            throw error
        }
    }

    /// Whether a status says that the request had no effect (Docs/Protocols/MessageBeast.md §4.2).
    private static func isRefusal(_ status: Int) -> Bool {
        switch status {
        case 408, 425: false
        case 400..<500, 507: true
        default: false
        }
    }

    func shutdown() async {}
}

/// The requests that arrive at the service.
struct ArrivalTransport: CooperativeTransport {
    let base: any HTTPTransport
    let rules: SendingRules

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let sent = try await request.collectedBody()
        let facts = RequestFacts(request, body: sent)
        let response = try await base.execute(request)
        guard response.head.status == 200 else { return response }
        switch facts.kind {
        case .creation(let token):
            if let body = response.collectedBody,
                let document = try? HeliumJSONDecoder().decode(JSONValue.self, from: body),
                let id = document["data"]?["id"]?.stringValue
            {
                rules.arrived(token, as: id, sent)
            }
        case .deletion(let id): rules.deleted(id)
        case .listing, .other: break
        }
        return response
    }

    func shutdown() async {}
}
