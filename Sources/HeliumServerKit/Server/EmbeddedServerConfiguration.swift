public import HeliumCore

/// The addresses, limits and protocols' settings of an ``EmbeddedServer``.
public struct EmbeddedServerConfiguration: Sendable {
    /// The address to listen on. Default: `127.0.0.1`, reachable from this machine only.
    public var host = "127.0.0.1"
    /// The TCP port of HTTP and of WebSockets; 0 takes a free one, which ``ReadyInformation`` names. Default: 0.
    public var port = 0
    /// The path of a SQLite file that keeps the records of all protocols over restarts, readable for its owner alone; `nil`
    /// keeps them in memory. Default: `nil`.
    public var store: String?
    /// The certificate and key for TLS 1.2 and 1.3, with HTTP/2 and HTTP/1.1 offered by ALPN; `nil` serves without TLS.
    /// Default: `nil`.
    public var tls: TLSFiles?
    /// Whether connections without TLS speak HTTP/2 from their first byte (prior knowledge, RFC 9113 §3.3) and nothing else:
    /// there are no WebSockets then. Has no effect with TLS. Default: `false`, HTTP/1.1.
    public var usesPriorKnowledgeHTTP2 = false
    /// The source of keys, tokens, ids of errors and everything else that clients must not guess. Default: the system's.
    public var random = RandomSource.system
    /// Whether the store is read and written on the thread of the request, which is blocked meanwhile, instead of on queues
    /// of the store. A simulation that schedules all tasks itself needs this. Default: `false`.
    public var usesInlineStore = false
    /// Ceilings and timeouts.
    public var limits = ServerLimits()
    /// The settings of the protocols for which some were made, by the protocols' types.
    private var settings: [ObjectIdentifier: any ServerProtocolConfiguration] = [:]

    /// Creates a configuration with the defaults named at each property.
    public init() {}

    /// The settings of a protocol. Default: the protocol's own.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol.Configuration {
        get { settings[ObjectIdentifier(type)] as? Protocol.Configuration ?? Protocol.Configuration() }
        set { settings[ObjectIdentifier(type)] = newValue }
    }
}

extension EmbeddedServerConfiguration {
    /// Checks the configuration, including the settings of the given protocols.
    ///
    /// - Throws: ``EmbeddedServerError`` for values that no server can run with.
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

/// Checks of settings that all protocols share.
package enum ConfigurationCheck {
    /// - Throws: ``EmbeddedServerError`` with `text` if the condition is false.
    package static func require(_ condition: Bool, _ text: String) throws(EmbeddedServerError) {
        if !condition { throw EmbeddedServerError(.invalidConfiguration, text) }
    }

    /// - Throws: ``EmbeddedServerError`` that names the first value that is not positive.
    package static func requirePositive(_ values: [(name: String, value: Int)]) throws(EmbeddedServerError) {
        for (name, value) in values { try require(value > 0, "\(name) must be positive") }
    }

    /// - Throws: ``EmbeddedServerError`` for a number that is not that of a port, or of a free one.
    package static func requirePort(_ port: Int) throws(EmbeddedServerError) {
        try require((0...65535).contains(port), "port \(port) is not between 0 and 65535")
    }
}
