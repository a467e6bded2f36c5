internal import NIOCore

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

extension LiveServer {
    /// The two ports of the live socket (§14): WebSocket at its root, and raw TCP.
    static func cosm(_ state: CosmState, host: String, limits: ServerLimits) -> LiveServer {
        let configuration = state.configuration
        let session = CosmLiveSession(state: state)
        let maximum = configuration.maxima.liveObjectBytes
        let webSocket = LivePort.Framing.webSocket { handshake in
            // Keys come with the frames (Cosm.md §14.1).
            handshake.path == "/"
                ? .session(session, isAuthenticated: false)
                : .refused(.upgradeRequired("the live socket's path is /"))
        }
        let tcp = LivePort.Framing.raw(
            codec: { ObjectLiveCodec(maximumObjectBytes: maximum) },
            session: session
        )
        return LiveServer(
            ports: [
                LivePort(number: configuration.webSocketPort, framing: webSocket),
                LivePort(number: configuration.tcpPort, framing: tcp),
            ],
            host: host,
            limits: limits,
            maxima: LiveMaxima(
                connections: configuration.maxima.liveConnections,
                unauthenticatedConnections: configuration.maxima.unauthenticatedLiveConnections,
                queueBytes: configuration.maxima.liveQueueBytes,
                objectBytes: maximum
            ),
            logger: state.logger
        )
    }
}
