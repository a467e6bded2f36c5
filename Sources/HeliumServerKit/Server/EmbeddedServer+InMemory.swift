internal import HeliumConcurrency
internal import Synchronization

extension EmbeddedServer {
    /// Prepares the server to respond in memory, instead of ``run()``. It does not listen, and protocols do no
    /// background work. Later calls return the same information.
    ///
    /// - Returns: The addresses: the configuration's host and ports. A port that would be a free one is replaced by 80.
    /// - Throws: ``EmbeddedServerError`` if the server was run, or if the host does not make a valid URL.
    package func startInMemory() throws(EmbeddedServerError) -> ReadyInformation {
        if let information = informationInMemory.withLock({ $0 }) { return information }
        try beginRunning()
        for item in protocols {
            guard let port = item.live?.portNumber else { continue }
            ownPorts.withLock { $0[type(of: item).name] = port == 0 ? Self.portInMemory : port }
        }
        guard let information = information(port: configuration.port == 0 ? Self.portInMemory : configuration.port)
        else {
            throw EmbeddedServerError(.invalidConfiguration, "\(configuration.host) is not valid as the host of a URL")
        }
        informationInMemory.withLock { $0 = information }
        readiness.settle(.success(information))
        return information
    }

    private static let portInMemory = 80

    /// - Throws: ``EmbeddedServerError`` if this function was called before.
    func beginRunning() throws(EmbeddedServerError) {
        let isFirst = hasRun.withLock { hasRun in
            defer { hasRun = true }
            return !hasRun
        }
        guard isFirst else { throw EmbeddedServerError(.notRunning, "a server can be run only once") }
    }
}
