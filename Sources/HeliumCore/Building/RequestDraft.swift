internal import Foundation
package import HTTPTypes

/// What a builder has gathered so far.
struct RequestDraft: Sendable {
    var method: HTTPRequest.Method
    var path: String
    var replacements = PathReplacements()
    var parameters = QueryParameters()
    var listStyle: QueryParameters.ListStyle?
    var fields: [(name: FieldName, value: String?)] = []
    var content: RequestContent?
    var settings = CallSettings()
}

/// What a call may set differently from its client. Most calls set nothing, so a builder carries one word for all of it.
@dynamicMemberLookup
struct CallSettings: Sendable {
    /// `nil` and `.none` leave it to the client.
    struct Values: Sendable {
        var timeouts: PhaseTimeouts?
        var total: Duration??
        var acceptableStatusCodes: Range<Int>?
        var envelope: ResponseEnvelope?
        var bodyBytes: Int?
        var httpVersion: HTTPVersionPolicy?
        var uploadProgress: (@Sendable (TransferProgress) -> Void)?
        var acceptsContentCodings = true
        /// Goes there instead of to the path and parameters: how a page leads to the next.
        var url: RequestURL?
        var retry: RetryPolicy?
        var isRetryable: Bool?
        var redirects: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
    }

    private final class Box: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private static let defaults = Values()
    private var box: Box?

    subscript<Value>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
        get { (box?.values ?? Self.defaults)[keyPath: path] }
        set {
            var values = box?.values ?? Self.defaults
            values[keyPath: path] = newValue
            box = Box(values)
        }
    }

    /// All of them at once; `nil` if none is set.
    var values: Values? { box?.values }
}

extension RequestDraft {
    /// Checks everything and makes the request; no I/O.
    func prepared(
        for pipeline: Pipeline,
        accept: String?,
        selection: String?,
        isStream: Bool
    ) throws(HeliumError) -> PreparedRequest {
        // Through the pipeline each time: a copy of all options would cost more than the request's other parts.
        do throws(InvalidRequest) {
            var parameters = parameters
            if let selection, parameters[pipeline.options.selectionParameter] == nil {
                parameters[pipeline.options.selectionParameter] = .single(selection)
            }
            let settings = settings.values
            let url: RequestURL
            if let fixed = settings?.url {
                url = fixed
            } else {
                let target = try pipeline.targets.target(
                    template: path,
                    replacements: replacements,
                    parameters: parameters,
                    listStyle: listStyle ?? pipeline.options.listStyle
                )
                url = RequestURL(origin: pipeline.origin, target: target)
            }
            var timeouts = settings?.timeouts ?? pipeline.options.timeouts
            if let total = settings?.total { timeouts.total = total }
            var request = TransportRequest(
                method: method,
                url: url,
                fields: pipeline.baseFields,
                timeouts: timeouts,
                limits: pipeline.options.limits,
                responseBody: isStream
                    ? .stream : .collect(upTo: settings?.bodyBytes ?? pipeline.options.limits.bodyBytes),
                version: settings?.httpVersion
                    ?? (isStream ? pipeline.options.streamHTTPVersion : pipeline.options.httpVersion)
            )
            if let accept, !request.fields.contains(.accept) {
                request.fields.append(HTTPField(name: .accept, value: accept))
            }
            if let content {
                switch content.payload {
                case .upload(let upload): request.upload = upload
                case .preparing(let make): request.upload = try make()
                case .bytes(let data): request.body = data
                case .form(let parameters): request.body = try bytes(of: parameters, pipeline.options)
                case .encodable(let value): request.body = try bytes(of: value, pipeline.options)
                }
                if let type = content.contentType {
                    request.fields.set(HTTPField(name: .contentType, value: type))
                }
                if request.upload != nil || settings?.uploadProgress != nil { applyTransfers(to: &request, pipeline) }
            }
            if settings?.acceptsContentCodings == false { request.acceptsContentCodings = false }
            try apply(fields, to: &request.fields)
            let key = try idempotencyKey(pipeline, settings, &request.fields)
            return PreparedRequest(
                request: request,
                template: template,
                acceptableStatusCodes: settings?.acceptableStatusCodes ?? pipeline.options.acceptableStatusCodes,
                retry: settings?.retry ?? pipeline.options.retry,
                retryTraits: RetryTraits(request, hasKey: key != nil, isRetryable: settings?.isRetryable),
                redirects: settings?.redirects ?? pipeline.options.redirects,
                idempotencyKey: key
            )
        } catch {
            throw HeliumError(
                error.isEncoding ? .encodingFailed : .invalidRequest,
                request: RequestSummary(method: method, url: pipeline.origin.urlString + template),
                delivery: .notSent,
                message: error.message,
                underlying: error.underlying
            )
        }
    }

    /// The path as it was written, without a query: that may hold values.
    private var template: String {
        // Most paths are their own template: no copy is made.
        if self.path.utf8.first == 47, !self.path.utf8.contains(63) { return self.path }
        let path = self.path.prefix { $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// The call's key, put into its field: the caller's, or a new one for the methods that get one.
    private func idempotencyKey(
        _ pipeline: Pipeline,
        _ settings: CallSettings.Values?,
        _ fields: inout HTTPFields
    ) throws(InvalidRequest) -> IdempotencyKey? {
        let key: IdempotencyKey
        if let given = settings?.idempotencyKey {
            key = given
        } else if !pipeline.options.methodsWithIdempotencyKeys.isEmpty,
            pipeline.options.methodsWithIdempotencyKeys.contains(method)
        {
            key = .random(using: pipeline.random)
        } else {
            return nil
        }
        guard key.isSendable else {
            throw InvalidRequest("the idempotency key must be 1 to 255 printable ASCII characters")
        }
        fields.set(HTTPField(name: pipeline.options.idempotencyKeyField, value: key.rawValue))
        return key
    }

    private func bytes(of form: QueryParameters, _ options: ClientOptions) throws(InvalidRequest) -> Data {
        var out: [UInt8] = []
        try TargetBuilder.appendQuery(
            form,
            style: listStyle ?? options.listStyle,
            isFirst: true,
            leading: 0,
            to: &out
        )
        return Data(out)
    }

    private func bytes(of value: some Encodable, _ options: ClientOptions) throws(InvalidRequest) -> Data {
        do {
            return try options.encoder.encode(value)
        } catch {
            throw InvalidRequest(encoding: type(of: value), error: error)
        }
    }

    private func apply(
        _ changes: [(name: FieldName, value: String?)],
        to fields: inout HTTPFields
    ) throws(InvalidRequest) {
        for (text, value) in changes {
            let name = try text.checked()
            guard let value else {
                fields[fields: name] = []
                continue
            }
            // HTTPField would turn a line break into a space: a request must not silently differ from what was asked.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidRequest("the value of the field \"\(name.rawName)\" has a control character")
            }
            fields.set(HTTPField(name: name, value: value))
        }
    }
}

extension RequestDraft {
    /// A field's name as it was given: text may be none.
    enum FieldName: Sendable {
        case text(String)
        case name(HTTPField.Name)
    }
}

extension RequestDraft.FieldName {
    /// Fields that the transport writes itself, to the body and connection they belong to.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "accept-encoding",
    ]

    func checked() throws(InvalidRequest) -> HTTPField.Name {
        let name: HTTPField.Name
        switch self {
        case .name(let known):
            name = known
        case .text(let text):
            guard let valid = HTTPField.Name(text), !text.hasPrefix(":") else {
                throw InvalidRequest("\"\(text)\" is no field name")
            }
            name = valid
        }
        guard !Self.reserved.contains(name.canonicalName) else {
            throw InvalidRequest("the field \"\(name.rawName)\" is written by the transport")
        }
        return name
    }
}

extension HTTPFields {
    /// Puts a field in place of those of its name.
    package mutating func set(_ field: HTTPField) {
        if contains(field.name) { self[fields: field.name] = [field] } else { append(field) }
    }
}
