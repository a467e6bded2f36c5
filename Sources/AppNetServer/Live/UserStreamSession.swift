internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumServerKit
internal import Synchronization

/// A user stream over a WebSocket (§2.14): the first message names the stream, and what the client sends is read over.
final class UserStreamSession: LiveSession {
    let state: AppNetState
    let request: UserStreams.ConnectionRequest
    /// The id and the sink of this connection.
    private let open = Guarded<(id: String, sink: SocketSink)?>(nil)

    init(state: AppNetState, request: UserStreams.ConnectionRequest) {
        self.state = state
        self.request = request
    }

    func opened(on client: LiveConnection) {
        let sink = SocketSink(client)
        do {
            let id = try state.events.userStreams.connect(request, sink) { id in
                ["meta": ["connection_id": .string(id)]]
            }
            open.withLock { $0 = (id, sink) }
        } catch {
            // Another connection took the last place since the handshake was answered.
            client.sayGoodbye()
        }
    }

    func received(_ bytes: [UInt8], on client: LiveConnection) {}

    func broken(_ reason: String, on client: LiveConnection) {}

    func closed(_ client: LiveConnection) {
        guard let (id, sink) = open.withLock({ $0.take() }) else { return }
        state.events.userStreams.disconnect(id, sink, at: state.microseconds)
    }
}

/// An app stream over a WebSocket, as pnut has it (§6.2).
final class AppStreamSession: LiveSession {
    let state: AppNetState
    let stream: AppStreamRecord
    let query: FormFields
    let display: GeneralParameters
    private let open = Guarded<SocketSink?>(nil)

    init(state: AppNetState, stream: AppStreamRecord, query: FormFields, display: GeneralParameters) {
        self.state = state
        self.stream = stream
        self.query = query
        self.display = display
    }

    func opened(on client: LiveConnection) {
        let sink = SocketSink(client)
        open.withLock { $0 = sink }
        state.open(stream, sink, query, display: display)
    }

    func received(_ bytes: [UInt8], on client: LiveConnection) {}

    func broken(_ reason: String, on client: LiveConnection) {}

    func closed(_ client: LiveConnection) {
        if let sink = open.withLock({ $0.take() }) { state.close(stream, sink) }
    }
}
