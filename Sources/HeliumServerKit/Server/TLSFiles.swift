internal import NIOSSL

/// The PEM files of a server certificate and its key.
public struct TLSFiles: Hashable, Sendable {
    /// The path of the certificate file. Intermediate certificates follow the server's certificate.
    public var certificatePath: String
    /// The path of the private key, without a pass phrase.
    public var keyPath: String

    /// Creates a value with the paths of the two files. They are read when the server starts.
    public init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}

extension TLSFiles {
    /// Reads the certificate and key for TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1.
    ///
    /// - Throws: ``EmbeddedServerError`` if they cannot be read or do not match.
    func context() throws(EmbeddedServerError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificatePath)
            let key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["h2", "http/1.1"]
            return try NIOSSLContext(configuration: tls)
        } catch {
            let paths = [certificatePath, keyPath].map(Self.shown).joined(separator: ", ")
            throw EmbeddedServerError(.unusableCertificate, "\(paths): \(error)")
        }
    }

    /// Returns a path for an error. The text of a key in place of a path is left out.
    private static func shown(_ path: String) -> String {
        path.contains("-----BEGIN") || path.contains("\n") ? "a PEM text in place of a path" : path
    }
}
