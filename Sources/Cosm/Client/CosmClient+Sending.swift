internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumJSON
internal import HeliumKit

/// The location of a document: the path below the base URL. The format's suffix is not part of it.
struct ResourcePath: Sendable {
    /// The path as it appears in metrics, with placeholders for ids: `/feeds/:feed`.
    var template: String
    var ids: [(name: String, value: String)]

    static let feeds = ResourcePath(template: "/feeds", ids: [])
    static let triggers = ResourcePath(template: "/triggers", ids: [])
    static let keys = ResourcePath(template: "/keys", ids: [])
    static let users = ResourcePath(template: "/users", ids: [])

    static func feed(_ id: Feed.ID) -> Self { feeds.id("feed", id.text) }

    static func datastreams(_ feed: Feed.ID) -> Self { self.feed(feed).collection("datastreams") }

    static func datastream(_ feed: Feed.ID, _ datastream: String) -> Self {
        datastreams(feed).id("datastream", datastream)
    }

    static func datapoints(_ feed: Feed.ID, _ datastream: String) -> Self {
        self.datastream(feed, datastream).collection("datapoints")
    }

    static func datapoint(_ feed: Feed.ID, _ datastream: String, _ at: Timestamp) -> Self {
        datapoints(feed, datastream).id("at", at.description)
    }

    /// The keys among the ids, which servers can quote, also as they are in the URL.
    var keys: [String] {
        ids.filter { $0.name == "key" }.flatMap { _, key in
            [key, key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key]
        }
    }

    /// Returns the path of the member with an id.
    func id(_ name: String, _ value: String) -> Self {
        Self(template: "\(template)/:\(name)", ids: ids + [(name, value)])
    }

    private func collection(_ name: String) -> Self { Self(template: "\(template)/\(name)", ids: ids) }

    /// Returns the path template and its replacements for a document in a format.
    ///
    /// The path always ends with the format's suffix, because an id can itself end like one
    /// (Docs/Protocols/Cosm.md §2.2).
    func located(as suffix: String) -> (template: String, replacements: [String: any ParameterConvertible]) {
        var replacements: [String: any ParameterConvertible] = [:]
        for (name, value) in ids { replacements[name] = value }
        guard let last = ids.last, template.hasSuffix(":\(last.name)") else { return (template + suffix, replacements) }
        replacements[last.name] = last.value + suffix
        return (template, replacements)
    }
}

extension CosmClient {
    /// Sends a request for a document in a format and returns the response, whatever its body is.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: ResourcePath,
        _ parameters: QueryParameters = [:],
        as format: CosmFormat = .json,
        body: Data? = nil
    ) async throws -> HeliumResponse<Data> {
        try await sendRequest(
            method,
            path,
            parameters,
            suffix: format.suffix,
            mediaType: format.mediaType,
            body: body
        )
    }

    /// Sends a request and returns the response.
    ///
    /// - Parameters:
    ///   - suffix: The format's suffix in the URL.
    ///   - mediaType: The media type of the request body and of the response.
    func sendRequest(
        _ method: HTTPRequest.Method,
        _ path: ResourcePath,
        _ parameters: QueryParameters,
        suffix: String,
        mediaType: String,
        body: Data? = nil
    ) async throws -> HeliumResponse<Data> {
        let request = try request(method, path, parameters, suffix: suffix, mediaType: mediaType, body: body)
        do {
            return try await request.response()
        } catch let error as HeliumError {
            throw CosmError(error, secrets: secrets(of: path))
        }
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ path: ResourcePath,
        _ parameters: QueryParameters,
        suffix: String,
        mediaType: String,
        body: Data? = nil
    ) throws(CosmError) -> RequestBuilder<Data> {
        if let empty = path.ids.first(where: { $0.value.isEmpty }) {
            throw CosmError(.invalidRequest, "the id of the \(empty.name) is empty")
        }
        let (template, replacements) = path.located(as: suffix)
        let content = body.map { RequestContent.bytes($0, contentType: mediaType) }
        var request = helium.request(method, template, body: content, returning: Data.self)
            .pathReplacements(PathReplacements(replacements))
            .parameters(parameters)
            .field(.accept, mediaType)
        if let callLimit { request = request.timeout(callLimit) }
        return request
    }

    /// Reads a document within the time limit of the call.
    func read<Document: CosmDocument>(
        _ path: ResourcePath,
        _ parameters: QueryParameters = [:],
        as format: CosmFormat
    ) async throws -> Document {
        try await readResponse(path, parameters, as: format).value
    }

    /// Reads a document and its response within the time limit of the call.
    func readResponse<Document: CosmDocument>(
        _ path: ResourcePath,
        _ parameters: QueryParameters = [:],
        as format: CosmFormat
    ) async throws -> HeliumResponse<Document> {
        let request = try request(.get, path, parameters, suffix: format.suffix, mediaType: format.mediaType)
        let secrets = secrets(of: path)
        do {
            return try await request.reading {
                try Self.decode($0, as: format, hiding: secrets)
            }.response()
        } catch let error as HeliumError {
            guard let fault = error.underlying as? CosmDocumentError else { throw CosmError(error, secrets: secrets) }
            let redactor = Redactor(secrets: secrets)
            let masked = CosmDocumentError(
                format: fault.format,
                reason: redactor.redact(fault.reason),
                line: fault.line,
                column: fault.column,
                path: redactor.redact(fault.path)
            )
            let message = "the response is not a valid \(Document.self) in \(format)"
            throw CosmError(.undecodable, message, underlying: error.hidingKeys(redactor), document: masked)
        }
    }

    /// Decodes the body of a response. Half an emoji, which an app left when it cut a text, becomes U+FFFD in JSON, and
    /// control characters in strings are accepted (Docs/Protocols/Cosm.md §10).
    private static func decode<Document: CosmDocument>(
        _ body: Data,
        as format: CosmFormat,
        hiding secrets: [String]
    ) throws -> Document {
        // A feed or datastream without values has no rows. An empty CSV document is an error otherwise
        // (Docs/Protocols/Cosm.md §12).
        if format == .csv, body.allSatisfy(CSVScanner.Character.isBlank),
            let empty = (Document.self as? any CosmRecord.Type)?.init() as? Document
        {
            return empty
        }
        let document: Document
        do {
            document = try format.decode(Document.self, from: body)
        } catch {
            guard format == .json, let repaired = LenientText.repaired(body) else { throw error }
            document = try format.decode(Document.self, from: repaired)
        }
        guard let holder = document as? any HoldsUnreadable else { return document }
        return holder.redacted(by: Redactor(secrets: secrets)) as? Document ?? document
    }

    /// Writes a document.
    ///
    /// - Throws: ``CosmError`` of kind `unencodable` if the format cannot hold all of it. Nothing is sent then.
    @discardableResult
    func write(
        _ method: HTTPRequest.Method,
        _ document: some CosmDocument,
        to path: ResourcePath,
        as format: CosmFormat
    ) async throws -> HeliumResponse<Data> {
        try await send(method, path, as: format, body: Self.encoded(document, as: format))
    }

    /// Encodes a document.
    ///
    /// - Throws: ``CosmError`` of kind `unencodable` if the format cannot hold all of it.
    static func encoded(_ document: some CosmDocument, as format: CosmFormat) throws(CosmError) -> Data {
        let encoded: EncodedDocument
        do {
            encoded = try document.encoded(as: format)
        } catch let error as CosmDocumentError {
            throw CosmError(.unencodable, "\(format) can't represent the document", document: error)
        } catch {
            throw CosmError(.unencodable, "\(format) can't represent the document: a number is not finite")
        }
        guard encoded.losses.isEmpty else {
            let losses = encoded.losses.prefix(5).map(\.description).joined(separator: "; ")
            throw CosmError(.unencodable, "\(format) would lose data: \(losses)")
        }
        return encoded.data
    }

    /// The texts that are masked in errors: the client's key, and the key that a path names.
    private func secrets(of path: ResourcePath) -> [String] { secrets + path.keys }

    var secrets: [String] { apiKey.map { [$0.value] } ?? [] }
}

// MARK: Created resources

/// Reads the id of a created resource from the `Location` of the response (Docs/Protocols/Cosm.md §2.3).
enum CreatedLocation {
    static func id(_ response: HeliumResponse<Data>, after collection: String) throws(CosmError) -> String {
        guard let location = response[.location], let id = id(in: location, after: collection) else {
            let message = "the object was created, but the response has no Location with an id below \(collection)"
            throw CosmError(.missingLocation, message, underlying: response.failure(.emptyResponse, message))
        }
        return id
    }

    /// Returns the segment after `collection/` without a trailing slash, a query and a format's suffix.
    static func id(in location: String, after collection: String) -> String? {
        let path = location.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let segments = path.split(separator: UInt8(ascii: "/"))
        guard let index = segments.lastIndex(where: { $0.elementsEqual(collection.utf8) }), index + 1 < segments.count
        else { return nil }
        var id = String(decoding: segments[index + 1], as: UTF8.self)
        for format in CosmFormat.allCases where id.hasByteSuffix(format.suffix) && !id.hasSameBytes(as: format.suffix) {
            id = String(decoding: id.utf8.dropLast(format.suffix.utf8.count), as: UTF8.self)
            break
        }
        return id.removingPercentEncoding ?? id
    }
}
