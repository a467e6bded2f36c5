public import BenchmarkHarness
public import HeliumCurl

extension CurlTransport.Configuration {
    /// The same for the bare transport and the whole SDK: the run's CA, and as many connections as it needs.
    public init(_ options: RunOptions) {
        self.init()
        certificateAuthorityFile = options.certificateAuthorityFile
        let connections = options.concurrency + options.idleStreams
        maximumConnectionsPerHost = max(maximumConnectionsPerHost, connections)
        maximumConnections = max(maximumConnections, connections)
        maximumIdleConnections = max(maximumIdleConnections, connections)
    }
}
