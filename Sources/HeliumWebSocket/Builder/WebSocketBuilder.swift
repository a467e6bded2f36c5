internal import Foundation
public import HTTPTypes
public import HeliumCore
internal import HeliumCurl
internal import HeliumKit

/// A WebSocket's request that is being configured. A builder is a value: every step returns a changed copy, and nothing is
/// sent before ``connect()``.
///
/// A builder can be stored, shared between tasks, specialized further and used for any number of connections, for example
/// by a ``SupervisedConnection``.
public struct WebSocketBuilder: Sendable {
    private let helium: Helium
    private var request: RequestBuilder<Void>
    private var options = WebSocketOptions()

    init(_ path: String, of helium: Helium) {
        self.helium = helium
        request = helium.get(path)
        options.clock = helium.pipeline.clock
        options.random = helium.pipeline.random
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

// MARK: The request

extension WebSocketBuilder {
    /// Sets values for the path's placeholders. If a name is set twice, the later value is used.
    ///
    /// A missing or an unused replacement makes ``connect()`` fail before any I/O.
    public func pathReplacements(_ replacements: PathReplacements, mode: PathReplacements.Mode = .placeholders) -> Self
    {
        with { $0.request = $0.request.pathReplacements(replacements, mode: mode) }
    }

    /// Sets values for the path's placeholders from a dictionary.
    @_disfavoredOverload
    public func pathReplacements(
        _ replacements: [String: any ParameterConvertible],
        mode: PathReplacements.Mode = .placeholders
    ) -> Self {
        pathReplacements(PathReplacements(replacements), mode: mode)
    }

    /// Adds query parameters, replacing parameters of the same name. They are sent sorted by name.
    ///
    /// - Parameters:
    ///   - parameters: Names and values; `nil` leaves a parameter out.
    ///   - lists: The format of lists. Default: that of the client's options.
    public func parameters(_ parameters: QueryParameters, lists: QueryParameters.ListStyle? = nil) -> Self {
        with { $0.request = $0.request.parameters(parameters, lists: lists) }
    }

    /// Adds query parameters from a dictionary.
    @_disfavoredOverload
    public func parameters(_ parameters: [String: any ParameterConvertible]) -> Self {
        self.parameters(QueryParameters(parameters))
    }

    /// Sets header fields; `nil` removes one that the client would send by default.
    ///
    /// ``connect()`` fails before any I/O if a name or value is not allowed in a header section, or if a field is one of
    /// the handshake (`Host`, `Connection`, `Upgrade`, `Sec-WebSocket-…`).
    public func fields(_ fields: [String: String?]) -> Self { with { $0.request = $0.request.fields(fields) } }

    /// Sets one header field; `nil` removes one that the client would send by default.
    public func field(_ name: HTTPField.Name, _ value: String?) -> Self {
        with { $0.request = $0.request.field(name, value) }
    }

    /// Sets the offered subprotocols, in order of preference (RFC 6455 §1.9). Default: none.
    public func subprotocols(_ names: [String]) -> Self { with { $0.options.subprotocols = names } }
}

// MARK: The call

extension WebSocketBuilder {
    /// Sets the time limit of ``connect()``: registration, all attempts and the delays between them. `nil` sets no limit.
    public func timeout(_ limit: Duration?) -> Self { with { $0.request = $0.request.timeout(limit) } }

    /// Sets all time limits of ``connect()``. `PhaseTimeouts.firstByte` limits the time from an established connection to
    /// the response.
    public func timeouts(_ timeouts: PhaseTimeouts) -> Self { with { $0.request = $0.request.timeouts(timeouts) } }

    /// Sets the retry policy of ``connect()``. An upgrade request is an idempotent GET. Default: that of the client.
    public func retry(_ policy: RetryPolicy) -> Self { with { $0.request = $0.request.retry(policy) } }

    /// Sets the redirect policy of ``connect()``. Default: that of the client.
    public func redirects(_ policy: RedirectPolicy) -> Self { with { $0.request = $0.request.redirects(policy) } }
}

// MARK: The connection

extension WebSocketBuilder {
    /// Sets the time limits of the open connection. `WebSocketOptions.Timeouts.connect` is not used, because the limits of
    /// the call apply until the connection is open.
    public func socketTimeouts(_ timeouts: WebSocketOptions.Timeouts) -> Self {
        with { $0.options.timeouts = timeouts }
    }

    /// Sets the size and rate limits of the open connection.
    public func limits(_ limits: WebSocketOptions.Limits) -> Self { with { $0.options.limits = limits } }
}

// MARK: Connecting

extension WebSocketBuilder {
    /// Sends the upgrade request and returns the open WebSocket.
    ///
    /// The request is a GET that is signed or authorized like every request of the client. A response with status 401 is
    /// reviewed by the authorizer, so that the device is registered again or the token is refreshed. The client's
    /// concurrency limits, interceptors, retries, redirects and observers apply until the connection is open.
    ///
    /// The connection uses the client's TLS settings and, like the client's requests, no proxy. It lives on the thread of
    /// `Helium.executor`. It fails with `clientClosed` when the client is closed. It is not part of the client's statistics
    /// and connection limits.
    ///
    /// - Throws: `CancellationError`; otherwise `HeliumError`: those of each call of the client, and
    ///   `unacceptableStatus` if the server rejects the request, with status, fields and the beginning of the body;
    ///   `malformedResponse` for a response that violates the protocol; `invalidRequest` also if an interceptor gives the
    ///   request a body or another method; `invalidConfiguration` if the client has a transport of your own, which has no
    ///   connections for WebSockets.
    public func connect() async throws -> WebSocket {
        let pipeline = helium.pipeline
        guard let base = helium.curlTransport else {
            throw HeliumError(
                configuration: "a WebSocket needs connections of a CurlTransport, but the client's transport is a "
                    + "\(type(of: pipeline.transport))"
            )
        }
        let transport = UpgradeTransport(on: base, options: options) { pipeline.authorizer.secrets }
        do throws(HeliumError) {
            let prepared = try request.acceptableStatusCodes(101..<102).prepared(over: transport)
            do throws(InvalidURL) {
                try UpgradeRequest.validate(prepared.request.fields, subprotocols: options.subprotocols)
            } catch {
                throw HeliumError(
                    .invalidRequest,
                    request: prepared.summary,
                    delivery: .notSent,
                    message: error.description
                )
            }
            _ = try await pipeline.exchange(prepared)
            guard let socket = transport.take() else {
                throw HeliumError(
                    .malformedResponse,
                    request: prepared.summary,
                    delivery: .answered,
                    message: "status 101 is an interceptor's, and no connection was opened"
                )
            }
            return socket
        } catch {
            throw Pipeline.surfaced(error)
        }
    }
}

extension WebSocketBuilder: CustomStringConvertible, CustomReflectable {
    /// The method and the path template.
    public var description: String { "\(request)" }
    /// The method and the path template.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
