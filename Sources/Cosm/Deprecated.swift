public import Foundation
public import HeliumCore
public import HeliumCurl
public import HeliumKit

// Former forms of public API. Each forwards to its replacement.

extension CosmAPI {
    /// The former form of `init(apiKey:baseURL:socketURL:options:connection:environment:)`, with the key as a `String`.
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
    /// The former form of `init(url:apiKey:options:)`, with the key as a `String`.
    @available(*, deprecated, message: "pass a Secret: CosmSocket(url:apiKey: Secret(key), …)")
    @_disfavoredOverload
    public convenience init(url: URL, apiKey: String?, options: CosmSocketOptions = CosmSocketOptions()) {
        self.init(url: url, apiKey: apiKey.map { Secret($0) }, options: options)
    }
}

extension SocketReply {
    /// The former name of ``fields``.
    @available(*, deprecated, renamed: "fields")
    public var headers: [String: String] { fields }
}
