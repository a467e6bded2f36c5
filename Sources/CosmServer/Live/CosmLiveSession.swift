internal import HeliumServerKit

/// A live client of Cosm (§14): every object is a request.
struct CosmLiveSession: LiveSession {
    let state: CosmState
    private let engine: LiveEngine

    init(state: CosmState) {
        self.state = state
        engine = LiveEngine(state: state)
    }

    func opened(on client: LiveConnection) {}

    func received(_ bytes: [UInt8], on client: LiveConnection) async { await engine.answer(bytes, on: client) }

    func broken(_ reason: String, on client: LiveConnection) {
        client.finishAnswer(LiveReply(status: 400, body: .text(reason)).bytes)
    }

    func closed(_ client: LiveConnection) { state.subscriptions.removeAll(client) }
}
