internal import NIOSSL

/// The PEM files of a server certificate and its key.
public struct TLSFiles: Hashable, Sendable {
    /// The certificate, followed by the intermediate ones if there are any.
    public var certificatePath: String
    /// The private key, without a pass phrase.
    public var keyPath: String

    /// Names the two files; they are read when the server starts.
    public init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}

extension TLSFiles {
    /// The certificate and key, read for TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1.
    ///
    /// - Throws: ``EmbeddedServerError`` if they cannot be read or do not fit each other.
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
            throw EmbeddedServerError(.unusableCertificate, "\(certificatePath), \(keyPath): \(error)")
        }
    }
}
