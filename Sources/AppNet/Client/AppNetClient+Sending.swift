internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumJSON
internal import HeliumKit

extension AppNetClient {
    /// Returns the request of a call, after all checks that are possible before it is sent.
    ///
    /// - Throws: ``AppNetError`` of kind `unsupportedByDialect` if the dialect does not have the call,
    ///   `invalidRequest`, or `unencodable`.
    func builder<Value: Decodable & Sendable>(
        _ request: CallRequest,
        returning type: Value.Type
    ) throws(AppNetError) -> RequestBuilder<Value> {
        guard let endpoint = request.call.endpoint(in: dialect) else {
            throw AppNetError(.unsupportedByDialect, "\(dialect.serviceName) does not support \(request.call.name)")
        }
        if let empty = request.path.first(where: { $0.value.isEmpty }) {
            throw AppNetError(.invalidRequest, "the \(empty.key) of \(request.call.name) is empty")
        }
        var builder = helium.request(
            endpoint.method,
            "/" + endpoint.path,
            body: try request.content(in: dialect),
            returning: type
        )
        .pathReplacements(PathReplacements(request.path))
        .parameters(try request.query(in: dialect, with: parameters))
        for field in request.fields { builder = builder.field(field.name, field.value) }
        if let callLimit { builder = builder.timeout(callLimit) }
        if let progress = request.progress { builder = builder.uploadProgress(progress) }
        return builder
    }

    /// Runs a call and converts its errors to ``AppNetError``.
    func failing<Result>(
        as request: CallRequest,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as HeliumError {
            if let head = error.head { observed.note(head) }
            throw AppNetError(error, call: request.call, secrets: secrets(with: request.secrets))
        }
    }

    /// Sends a call and returns its decoded response.
    ///
    /// - Parameter decoder: The decoder; `nil` for that of the client.
    func answer<Value: AppNetObject>(
        _ request: CallRequest,
        as type: Value.Type = Value.self,
        decoder: (any BodyDecoder)? = nil
    ) async throws -> HeliumResponse<Envelope<Value>> {
        assert(request.call.returns(type), "the call table has a type other than \(type) for \(request.call.name)")
        var builder = try builder(request, returning: Envelope<Value>.self)
        if let decoder { builder = builder.decoder(decoder) }
        let response = try await failing(as: request) { try await builder.response() }
        observed.note(response.head)
        if let fault = ResponseErrorDetails(response.value.meta) { throw failure(fault, response, request) }
        return response
    }

    /// Returns the error of a response that reports a failure in its body, but has a status of success
    /// (Docs/Protocols/AppNet.md §1.5).
    private func failure<Value>(
        _ fault: ResponseErrorDetails,
        _ response: HeliumResponse<Value>,
        _ request: CallRequest
    ) -> AppNetError {
        let message = "the response to \(request.call.name) reports the failure \(fault.code ?? 0)"
        let error = response.failure(.unacceptableStatus, message)
        return AppNetError(error, call: request.call, secrets: secrets(with: request.secrets), details: fault)
    }

    /// Sends a call and returns the data of its response.
    func value<Value: AppNetObject>(_ request: CallRequest, as type: Value.Type = Value.self) async throws -> Value {
        let response = try await answer(request, as: type)
        guard let value = response.value.data else { throw Self.missingDataError(in: response, request) }
        return value
    }

    /// Returns the error of a response without data. The call may have been carried out, because there was a response.
    static func missingDataError<Value>(in response: HeliumResponse<Value>, _ request: CallRequest) -> AppNetError {
        let message = "the response to \(request.call.name) has no data"
        return AppNetError(.undecodable, message, underlying: response.failure(.emptyResponse, message))
    }

    /// Sends a call and ignores the body of its response, such as a 204.
    func perform(_ request: CallRequest) async throws {
        let builder = try builder(request, returning: Data.self)
        let response = try await failing(as: request) { try await builder.response() }
        observed.note(response.head)
        let fault = ResponseErrorDetails(response.value)
        if fault.isFailure { throw failure(fault, response, request) }
    }
}

// MARK: Lists

extension AppNetClient {
    /// Returns the paged list of a call.
    func list<Element: AppNetObject>(
        _ request: CallRequest,
        of type: Element.Type = Element.self
    ) -> PagedList<Element> {
        PagedList { bounds, subscription in try await self.page(request, bounds, subscription) }
    }

    /// Sends a call for one page of a list.
    private func page<Element: AppNetObject>(
        _ request: CallRequest,
        _ bounds: PageBounds,
        _ subscription: StreamSubscriptionParameters?,
        decoder: (any BodyDecoder)? = nil
    ) async throws -> Page<Element> {
        let request = try request.bounded(by: bounds, subscription: subscription)
        let response = try await answer(request, as: ReadableItems<Element>.self, decoder: decoder)
        guard let items = response.value.data else { throw Self.missingDataError(in: response, request) }
        return Page(
            elements: items.elements,
            unreadable: items.unreadable.redacted(by: Redactor(secrets: secrets(with: request.secrets))),
            meta: response.value.meta ?? ResponseMeta(),
            rateLimit: RateLimit(response.head),
            bounds: bounds
        )
    }

    /// Returns all items of a list that the service does not paginate, but that a server may cut. The first call has no
    /// parameters of pagination.
    ///
    /// - Throws: ``AppNetError``, also if an item cannot be decoded, and of kind ``AppNetError/Kind/brokenList`` if the
    ///   list exceeds ``WholeListLimits``; or `CancellationError`.
    func wholeList<Element: AppNetObject>(
        _ request: CallRequest,
        limits: WholeListLimits = WholeListLimits()
    ) async throws -> [Element] {
        var walk = ListWalk(.backward, from: PageBounds(), maximumPages: limits.pages)
        var elements: [Element] = []
        let decoder = CountingDecoder(
            DialectDecoder(dialect: settings.dialect, decoder: settings.options.decoder)
        )
        while let bounds = try walk.next() {
            try Task.checkCancellation()
            let page: Page<Element> = try await page(request, bounds, nil, decoder: decoder)
            walk.arrived(page.meta)
            elements += try page.completeElements()
            guard elements.count <= limits.items, decoder.bytes <= limits.bytes else {
                let message = "the list is longer than \(limits.items) items or \(limits.bytes) bytes"
                throw AppNetError(.brokenList, message, delivery: .answered)
            }
        }
        return elements
    }

    /// The maximum number of ids in one call (Docs/Protocols/AppNet.md §2).
    static let maximumIDs = 200

    /// Returns the elements with the given ids. Sends as many calls as needed, one after the other, and none without
    /// ids.
    func elements<Owner, Element: AppNetObject>(
        _ ids: [AppNetID<Owner>],
        _ request: CallRequest,
        of type: Element.Type = Element.self
    ) async throws -> [Element] {
        var found: [Element] = []
        for batch in try Self.batches(of: ids) {
            found += try await value(request.naming(batch), as: [Element].self)
        }
        return found
    }

    /// Returns the elements for the given ids, by id. Splits calls like ``elements(_:_:of:)``.
    func elementsByID<Owner, Element: AppNetObject>(
        _ ids: [AppNetID<Owner>],
        _ request: CallRequest,
        of type: Element.Type = Element.self
    ) async throws -> [AppNetID<Owner>: Element] {
        var found: [AppNetID<Owner>: Element] = [:]
        for batch in try Self.batches(of: ids) {
            let values = try await value(request.naming(batch), as: [String: Element].self)
            for (id, value) in values { found[AppNetID(id)] = value }
        }
        return found
    }

    /// Splits ids into one batch for each call.
    static func batches<Owner>(of ids: [AppNetID<Owner>]) throws(AppNetError) -> [ArraySlice<AppNetID<Owner>>] {
        if let bad = ids.first(where: { $0.text.isEmpty || $0.text.containsBytes(of: ",") }) {
            throw AppNetError(.invalidRequest, "\"\(bad.text)\" is not a valid id")
        }
        return stride(from: 0, to: ids.count, by: maximumIDs).map { ids[$0..<min($0 + maximumIDs, ids.count)] }
    }
}

extension CallRequest {
    /// Returns the same call for the given ids.
    func naming<Owner>(_ ids: ArraySlice<AppNetID<Owner>>) -> CallRequest {
        var request = self
        request.query["ids"] = .single(ids.map(\.text).joined(separator: ","))
        return request
    }
}

extension AppNetDialect {
    /// The common name of the service.
    var serviceName: String {
        switch self {
        case .appNet: "App.net"
        case .pnut: "pnut.io"
        }
    }
}

/// The maximum size of a list that is returned as a whole, which a server could continue without end.
struct WholeListLimits {
    var pages = 10_000
    var items = 100_000
    /// The size of all responses in bytes, after decompression.
    var bytes = 64 << 20
}
