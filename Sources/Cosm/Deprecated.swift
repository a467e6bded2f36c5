public import Foundation
public import HeliumCore
public import HeliumCurl
public import HeliumKit

// Deprecated forms of public API. Each forwards to its replacement.

extension CosmAPI {
    /// Creates an API with the key as a `String`. Deprecated: use
    /// `init(apiKey:baseURL:socketURL:options:connection:environment:)`.
    @available(*, deprecated, message: "pass a Secret: CosmAPI(apiKey: Secret(key), …)")
    @_disfavoredOverload
    public convenience init(
        apiKey: String?,
        baseURL: URL,
        socketURL: URL? = nil,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(CosmError) {
        try self.init(
            apiKey: apiKey.map { Secret($0) },
            baseURL: baseURL,
            socketURL: socketURL,
            options: options,
            connection: connection,
            environment: environment
        )
    }
}

extension CosmSocket {
    /// Creates a socket with the key as a `String`. Deprecated: use `init(url:apiKey:options:)`.
    @available(*, deprecated, message: "pass a Secret: CosmSocket(url:apiKey: Secret(key), …)")
    @_disfavoredOverload
    public convenience init(url: URL, apiKey: String?, options: CosmSocketOptions = CosmSocketOptions()) {
        self.init(url: url, apiKey: apiKey.map { Secret($0) }, options: options)
    }
}

extension SocketReply {
    /// The previous name of ``fields``.
    @available(*, deprecated, renamed: "fields")
    public var headers: [String: String] { fields }
}

/// The previous name of the feeds of a list.
@available(*, deprecated, message: "use PageElements<FeedPages, [Feed]>")
public typealias FeedSequence = PageElements<FeedPages, [Feed]>
