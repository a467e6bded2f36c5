internal import HeliumCore
internal import NIOCore
internal import NIOSSL

/// The TLS settings of a connection: the trusted authorities and the name of the server.
struct TLSClient: Sendable {
    private let context: NIOSSLContext
    /// The name that is sent and that the certificate must contain; `nil` for an address, which the certificate must
    /// contain.
    private let serverName: String?

    /// Creates the settings.
    ///
    /// - Throws: `HeliumError` of kind `invalidConfiguration` if the authorities can't be read.
    init(_ options: WebSocketOptions.TLS, host: String, failures: FailureMaker) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // These replace the machine's authorities. The folder comes first, because NIOSSL does not accept a folder as
        // an additional root.
        let places = [options.certificateAuthorityDirectory, options.certificateAuthorityFile].compactMap(\.self)
        if let first = places.first {
            configuration.trustRoots = .file(first)
            configuration.additionalTrustRoots = places.dropFirst().map { .file($0) }
        }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            let message = "the certificate authorities can't be read"
            throw failures.error(.invalidConfiguration, .notSent, message, underlying: error)
        }
        serverName = AddressBytes(host) == nil ? host : nil
    }

    func handler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName)
    }
}
