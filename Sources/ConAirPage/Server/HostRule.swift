/// Which names of the server a request may use.
///
/// A page in a browser may have its own name resolve to a loopback address (DNS rebinding), and then read what a server on
/// this machine returns. Its requests carry its name in `Host`.
struct HostRule: Hashable, Sendable {
    /// The names that are answered; `nil` for all.
    private let names: Set<String>?

    /// - Parameters:
    ///   - host: The address that the server listens on.
    ///   - port: The port that it listens on.
    init(host: String, port: Int) {
        guard Self.isLoopback(host) else {
            names = nil
            return
        }
        let hosts = ["127.0.0.1", "[::1]", "localhost", host.contains(":") ? "[\(host)]" : host]
        var names = Set(hosts.map { "\($0.lowercased()):\(port)" })
        // Clients leave out the port that their scheme has without one.
        if port == 80 { names.formUnion(hosts.map { $0.lowercased() }) }
        self.names = names
    }

    /// Whether a request with this `Host` is answered.
    func admits(_ host: String) -> Bool { names?.contains(host.lowercased()) ?? true }

    /// Whether an address is reachable from its own machine only.
    static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
