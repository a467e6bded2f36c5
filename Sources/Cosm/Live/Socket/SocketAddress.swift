internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumCurl
internal import HeliumJSON
internal import HeliumWebSocket

/// The address and key of a live socket. It makes the socket's connections and errors.
struct SocketAddress: Sendable {
    let url: URL
    let key: Secret?

    /// The texts that are masked in messages of the server.
    var secrets: [String] { key.map { [$0.value] } ?? [] }

    /// Whether the socket is raw TCP, on which requests are sent one after the other (Docs/Protocols/Cosm.md §14.1).
    var isRaw: Bool { url.scheme?.lowercased() == "tcp" }

    /// Opens a connection.
    ///
    /// - Throws: `HeliumError`.
    func connect(_ options: WebSocketOptions, on transport: CurlTransport) async throws -> any TextConnection {
        guard isRaw else { return try await WebSocket.connect(to: url, options: options, on: transport) }
        guard let host = url.host(percentEncoded: false), !host.isEmpty, let port = url.port, url.user == nil else {
            throw error(.invalidRequest, .notSent, "a tcp URL must have a host and a port, and nothing else")
        }
        return try await JSONObjectConnection.connect(host: host, port: port, options: options, on: transport)
    }

    /// Creates an error of the socket or of a request on it.
    func error(
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        _ message: String,
        method: SocketMethod? = nil,
        resource: String = ""
    ) -> HeliumError {
        let name = HTTPRequest.Method(method?.rawValue.uppercased() ?? "GET") ?? .get
        let place = "\(url.scheme ?? "")://\(url.host() ?? "")\(url.port.map { ":\($0)" } ?? "")"
        return HeliumError(
            kind,
            request: RequestSummary(method: name, url: KeyURL.masked(place + Self.maskingQuery(resource))),
            delivery: delivery,
            message: message
        )
    }

    /// Returns a resource with the values of its query masked.
    private static func maskingQuery(_ resource: String) -> String {
        guard let mark = resource.utf8.firstIndex(of: UInt8(ascii: "?")) else { return resource }
        let fields = resource[resource.utf8.index(after: mark)...].split(atByte: "&").map { field in
            field.prefix(beforeByte: "=") + "=***"
        }
        return "\(resource[..<mark])?\(fields.joined(separator: "&"))"
    }

    /// Creates a timeout error.
    func timeout(
        _ phase: TransferPhase,
        after limit: Duration,
        _ method: SocketMethod,
        _ resource: String
    ) -> HeliumError {
        let (delivery, missing): (DeliveryState, String) =
            switch phase {
            case .connect: (.notSent, "connection")
            case .queue: (.notSent, "response to the requests before it")
            default: (.maybeSent, "response")
            }
        var error = error(
            .timedOut,
            delivery,
            "no \(missing) within \(limit)",
            method: method,
            resource: resource
        )
        error[fact: \.phase] = phase
        return error
    }

    /// Converts an error into one that the calls of the API throw. A `CancellationError` is not changed.
    func failure(_ error: any Error) -> any Error {
        (error as? HeliumError).map { CosmError($0, secrets: secrets) } ?? error
    }
}
