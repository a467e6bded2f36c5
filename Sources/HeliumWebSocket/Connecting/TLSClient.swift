internal import HeliumCore
internal import NIOCore
internal import NIOSSL

/// Whom a TLS connection is made with, and who vouches for it.
struct TLSClient: Sendable {
    private let context: NIOSSLContext
    /// The name that is sent and that the certificate must have; `nil` of an address, which the certificate must have.
    private let serverName: String?

    /// - Throws: `HeliumError` of kind `invalidConfiguration`, where the authorities can't be read.
    init(_ options: WebSocketOptions.TLS, host: String, failures: FailureMaker) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // These replace the machine's authorities. The folder goes first: NIOSSL takes none as a further place.
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
