@testable import HeliumCore
@testable import HeliumCurl

/// A server of Scripts/http.sh, and how it is spoken to.
struct Server: Sendable {
    let name: String
    let url: String
    let version: HTTPVersionPolicy
    let isHTTP2: Bool

    /// Reads a server of the command line. `h2` and `h1` in its name choose the protocol.
    init(_ item: (name: String, url: String)) {
        name = item.name
        url = item.url
        isHTTP2 = item.name.contains("h2")
        version = !isHTTP2 ? .http1 : item.url.hasPrefix("https") ? .automatic : .http2PriorKnowledge
    }
}

extension Options {
    func transport(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        if !authority.isEmpty { configuration.certificateAuthorityFile = authority }
        change(&configuration)
        return CurlTransport(configuration)
    }
}
