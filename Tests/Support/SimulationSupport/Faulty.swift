import HTTPTypes
import HeliumCore
import HeliumJSON
import HeliumServerTesting

// Systems with a small fault, which their simulations must find. The tests check that each one fails.

/// MessageBeast with a server that loses every fifth message that it has accepted.
enum LosingBeast: SimulatedSystem {
    static let name = "fault-beast"

    static func simulate(_ simulation: Simulation) async throws {
        try await BeastSystem.simulate(simulation) { LosingTransport(base: $0) }
    }
}

/// Deletes messages that were created, and reports success.
private struct LosingTransport: CooperativeTransport {
    let base: any HTTPTransport
    private let count = SharedCount()

    init(base: any HTTPTransport) { self.base = base }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let facts = RequestFacts(request, body: try await request.collectedBody())
        let response = try await base.execute(request)
        guard case .creation = facts.kind, response.head.status == 200, let body = response.collectedBody,
            let document = try? HeliumJSONDecoder().decode(JSONValue.self, from: body),
            let id = document["data"]?["id"]?.stringValue, count.next() % 5 == 0,
            let url = try? RequestURL("\(request.url.absoluteString.prefix { $0 != "?" })/\(id)")
        else { return response }
        var deletion = request
        (deletion.method, deletion.url, deletion.body) = (.delete, url, nil)
        _ = try await base.execute(deletion)
        return response
    }

    func shutdown() async {}
}

/// Jetstream with a server that sends some coordinates under the name of others.
enum SwappingJetstream: SimulatedSystem {
    static let name = "fault-jetstream"
    static let needsDeterministicHashing = false

    static func simulate(_ simulation: Simulation) throws {
        let world = SyncWorld(simulation) { frame in
            frame.contains(#""ScopeSync""#) ? frame.replacing(#""x":"#, with: #""y":"#) : frame
        }
        try JetstreamSystem.simulate(world)
    }
}
