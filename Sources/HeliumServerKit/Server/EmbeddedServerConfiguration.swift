public import HeliumCore

/// The addresses, limits and protocol settings of an ``EmbeddedServer``.
public struct EmbeddedServerConfiguration: Sendable {
    /// The address to listen on. Default: `127.0.0.1`, reachable from this machine only.
    public var host = "127.0.0.1"
    /// The TCP port for HTTP and WebSockets. 0 selects a free port, which ``ReadyInformation`` contains. Default: 0.
    public var port = 0
    /// The path of a SQLite file that stores the records of all protocols across restarts. Only its owner can read it.
    /// If `nil`, the records are kept in memory. Default: `nil`.
    public var store: String?
    /// The certificate and key for TLS 1.2 and 1.3, with HTTP/2 and HTTP/1.1 offered by ALPN. If `nil`, the server does
    /// not use TLS. Default: `nil`.
    public var tls: TLSFiles?
    /// Whether connections without TLS use HTTP/2 from their first byte (prior knowledge, RFC 9113 §3.3) and no other
    /// protocol. WebSockets are not available then. Has no effect with TLS. Default: `false`, which means HTTP/1.1.
    public var usesPriorKnowledgeHTTP2 = false
    /// The source of keys, tokens, error ids and all other values that clients must not be able to guess. Default: the
    /// system's random source.
    public var random = RandomSource.system
    /// Whether the store is accessed on the thread of the request, which is blocked meanwhile, instead of on queues of
    /// the store. A simulation that schedules all tasks itself needs this. Default: `false`.
    public var usesInlineStore = false
    /// Measures the time of the requests in the store, for the proof of costs. Default: `nil`.
    package var storeWatch: StoreWatch?
    /// The limits and timeouts.
    public var limits = ServerLimits()
    /// The protocol settings that were set, by the types of the protocols.
    private var settings: [ObjectIdentifier: any ServerProtocolConfiguration] = [:]

    /// Creates a configuration with the defaults named at each property.
    public init() {}

    /// The settings of a protocol. Default: the default settings of the protocol.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol.Configuration {
        get { settings[ObjectIdentifier(type)] as? Protocol.Configuration ?? Protocol.Configuration() }
        set { settings[ObjectIdentifier(type)] = newValue }
    }
}

extension EmbeddedServerConfiguration {
    /// Checks the configuration, including the settings of the given protocols.
    ///
    /// - Throws: ``EmbeddedServerError`` for invalid values.
    func validate(_ protocols: [any ServerProtocol.Type]) throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePort(port)
        try ConfigurationCheck.require(!host.isEmpty, "the host is empty")
        try limits.validate()
        for type in protocols { try validate(type) }
    }

    private func validate<Protocol: ServerProtocol>(_ type: Protocol.Type) throws(EmbeddedServerError) {
        try self[type].validate(limits: limits)
    }
}

/// Checks for settings of all protocols.
package enum ConfigurationCheck {
    /// - Throws: ``EmbeddedServerError`` with `text` if the condition is false.
    package static func require(_ condition: Bool, _ text: String) throws(EmbeddedServerError) {
        if !condition { throw EmbeddedServerError(.invalidConfiguration, text) }
    }

    /// - Throws: ``EmbeddedServerError`` that names the first value that is not positive.
    package static func requirePositive(_ values: [(name: String, value: Int)]) throws(EmbeddedServerError) {
        for (name, value) in values { try require(value > 0, "\(name) must be positive") }
    }

    /// - Throws: ``EmbeddedServerError`` if the number is not between 0 and 65,535. 0 means a free port.
    package static func requirePort(_ port: Int) throws(EmbeddedServerError) {
        try require((0...65535).contains(port), "port \(port) is not between 0 and 65535")
    }
}
