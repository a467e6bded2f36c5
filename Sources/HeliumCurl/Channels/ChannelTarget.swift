package import HeliumCore

/// The peer of a channel, and the settings of the connection to it.
package struct ChannelTarget: Sendable {
    /// The name or address of the host, without the brackets of an IPv6 literal.
    package var host: String
    package var port: Int
    /// The TLS settings; `nil` for clear text.
    package var tls: ChannelTLS?
    /// The HTTP proxy, which is asked for a tunnel (CONNECT); `nil` for a direct connection.
    package var proxy: ProxyRoute?
    /// The caller's time limit of connecting, which libcurl divides among the addresses of the host. It does not replace the
    /// caller's own timer. `nil` for no limit.
    package var connectLimit: Duration?

    package init(host: String, port: Int, tls: ChannelTLS? = nil, proxy: ProxyRoute? = nil) {
        self.host = host
        self.port = port
        self.tls = tls
        self.proxy = proxy
    }

    /// The URL for libcurl, which uses only its scheme, host and port.
    var urlString: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(name):\(port)/"
    }
}

/// The TLS settings of a channel. The certificate and the name of the host are always verified, TLS is 1.2 or newer, and
/// the name of the host is sent (SNI).
package struct ChannelTLS: Hashable, Sendable {
    /// A file with the certificate authorities to trust (PEM). If this or the folder is set, no other authority is
    /// trusted. `nil` means libcurl's own.
    package var certificateAuthorityFile: String?
    /// A folder with the certificate authorities to trust.
    package var certificateAuthorityDirectory: String?
    /// The protocols that are offered by ALPN (RFC 7301), in order of preference. An empty list offers none.
    package var applicationProtocols: [String]

    package init(
        certificateAuthorityFile: String? = nil,
        certificateAuthorityDirectory: String? = nil,
        applicationProtocols: [String] = []
    ) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.certificateAuthorityDirectory = certificateAuthorityDirectory
        self.applicationProtocols = applicationProtocols
    }

    /// The list in the form of RFC 7301 §3.1; `nil` if a name is empty or has more than 255 bytes.
    var protocolList: [UInt8]? {
        var list: [UInt8] = []
        for name in applicationProtocols {
            guard let count = UInt8(exactly: name.utf8.count), count > 0 else { return nil }
            list.append(count)
            list.append(contentsOf: name.utf8)
        }
        return list
    }
}
