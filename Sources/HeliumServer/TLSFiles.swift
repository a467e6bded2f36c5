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
