internal import HeliumJSON

/// A store in memory, for simulations and for tests that compare the tables with it.
extension StoredState {
    /// Creates the store of a new engine. Its changes come with the actions of the engine's events.
    package init(of engine: JetstreamEngine) {
        self.init()
        epoch = engine.epoch
    }

    /// Applies a change, like the tables do. The time grows with the size of the scope.
    package mutating func apply(_ change: StoreChange) {
        switch change {
        case .addObject(let scope, let id, let className, let properties):
            scopes[scope, default: []].append(Object(id: id, className: className, properties: properties))
        case .setProperties(let scope, let id, let properties):
            guard let index = scopes[scope]?.firstIndex(where: { $0.id == id }) else { return }
            scopes[scope]?[index].properties.merge(properties) { $1 }
        case .removeObject(let scope, let id):
            scopes[scope]?.removeAll { $0.id == id }
        case .addSession(let info, let token):
            sessions.append(Session(info: info, token: token))
        case .assign(let id, let client):
            updateSession(id) { $0.client = client }
        case .removeSession(let id):
            sessions.removeAll { $0.info.id == id }
        case .counters(let id, let client, let server):
            updateSession(id) { ($0.clientIndex, $0.serverIndex) = (client, server) }
        case .fetched(let id, _, let scope):
            updateSession(id) { $0.scopes.append(scope) }
        case .retain(let id, let message):
            updateSession(id) { $0.retained.append(message) }
            lastBody = max(lastBody, message.body.number)
        case .prune(let id, let index):
            updateSession(id) { session in session.retained.removeAll { $0.index <= index } }
        }
    }

    private mutating func updateSession(_ id: Int, _ body: (inout Session) -> Void) {
        if let index = sessions.firstIndex(where: { $0.info.id == id }) { body(&sessions[index]) }
    }
}
