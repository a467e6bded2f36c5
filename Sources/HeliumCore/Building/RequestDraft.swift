package import HTTPTypes
internal import HeliumEssentials

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
        var decoder: (any BodyDecoder)?
        var uploadProgress: (@Sendable (TransferProgress) -> Void)?
        var acceptsContentCodings: Bool?
        /// Goes there instead of to the path and parameters: how a page leads to the next.
        var url: RequestURL?
        var retry: RetryPolicy?
        var isRetryable: Bool?
        var redirects: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
    }

    /// What was set, in one place: reading one value of it copies no other.
    final class Box: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    /// `nil` if nothing is set.
    private(set) var box: Box?

    subscript<Value>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
        get { (box?.values ?? Values())[keyPath: path] }
        set {
            var values = box?.values ?? Values()
            values[keyPath: path] = newValue
            box = Box(values)
        }
    }
}

extension RequestDraft {
    /// Checks everything and makes the request; no I/O.
    func prepared(
        for pipeline: Pipeline,
        accept: String?,
        resultType: Any.Type?,
        isStream: Bool
    ) throws(HeliumError) -> PreparedRequest {
        do throws(InvalidRequest) {
            let settings = settings.box
            var request = try request(for: pipeline, accept: accept, resultType: resultType, isStream: isStream)
            let key = try idempotencyKey(pipeline, addingTo: &request.fields)
            let traits = RetryTraits(request, hasKey: key != nil, isRetryable: settings?.values.isRetryable)
            return PreparedRequest(
                request: request,
                template: template,
                acceptableStatusCodes: settings?.values.acceptableStatusCodes ?? pipeline.options.acceptableStatusCodes,
                retry: settings?.values.retry ?? pipeline.options.retry,
                retryTraits: traits,
                redirects: settings?.values.redirects ?? pipeline.options.redirects,
                idempotencyKey: key
            )
        } catch {
            throw HeliumError(
                error.isEncoding ? .encodingFailed : .invalidRequest,
                request: RequestSummary(
                    method: method,
                    url: pipeline.targets.place(ofTemplate: template, on: pipeline.origin)
                ),
                delivery: .notSent,
                message: error.message,
                underlying: error.underlying
            )
        }
    }

    private func request(
        for pipeline: Pipeline,
        accept: String?,
        resultType: Any.Type?,
        isStream: Bool
    ) throws(InvalidRequest) -> TransportRequest {
        // Through the pipeline each time: a copy of all options would cost more than the request's other parts.
        let settings = settings.box
        var timeouts = settings?.values.timeouts ?? pipeline.options.timeouts
        if let total = settings?.values.total { timeouts.total = total }
        var request = TransportRequest(
            method: method,
            url: try url(for: pipeline, resultType: resultType),
            fields: pipeline.baseFields,
            timeouts: timeouts,
            limits: pipeline.options.limits,
            responseBody: isStream
                ? .stream : .collect(upTo: settings?.values.bodyBytes ?? pipeline.options.limits.bodyBytes),
            version: settings?.values.httpVersion
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
            if request.upload != nil || settings?.values.uploadProgress != nil {
                applyTransfers(to: &request, pipeline)
            }
        }
        // Compressed, a stream gains little: most are short lines, which a server would hold back to compress them.
        request.acceptsContentCodings = settings?.values.acceptsContentCodings ?? !isStream
        try apply(fields, to: &request.fields)
        return request
    }

    private func url(for pipeline: Pipeline, resultType: Any.Type?) throws(InvalidRequest) -> RequestURL {
        if let fixed = settings.box?.values.url { return fixed }
        var parameters = parameters
        if let resultType, let parameter = pipeline.options.vocabulary.resultParameter,
            parameters[parameter.name] == nil, let value = parameter.value(resultType)
        {
            parameters[parameter.name] = .single(value)
        }
        let target = try pipeline.targets.target(
            template: path,
            replacements: replacements,
            parameters: parameters,
            listStyle: listStyle ?? pipeline.options.listStyle
        )
        return RequestURL(origin: pipeline.origin, target: target)
    }

    /// The path as it was written, without a query: that may hold values.
    private var template: String {
        // Most paths are their own template: no copy is made.
        if TargetBuilder.isPlain(self.path) { return self.path }
        if let place = TargetBuilder.absolutePlace(self.path) { return place }
        let path = self.path.prefix { $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// The call's key: the caller's, be it given as a key or as a field, or a new one for the methods that get one.
    private func idempotencyKey(
        _ pipeline: Pipeline,
        addingTo fields: inout HTTPFields
    ) throws(InvalidRequest) -> IdempotencyKey? {
        let name = pipeline.options.idempotencyKeyField
        let key: IdempotencyKey
        if let given = settings.box?.values.idempotencyKey {
            key = given
        } else if let value = fields[name], !value.isEmpty {
            return IdempotencyKey(rawValue: value)
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
        fields.set(HTTPField(name: name, value: key.rawValue))
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
            guard !value.hasControlCharacter else {
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
    /// Whether the transport writes this field itself, to the body and connection it belongs to. Lengths are compared first:
    /// of most names nothing else.
    private static func isReserved(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name == "host"
        case 10: name == "connection"
        case 14: name == "content-length"
        case 15: name == "accept-encoding"
        case 17: name == "transfer-encoding"
        default: false
        }
    }

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
        guard !Self.isReserved(name.canonicalName) else {
            throw InvalidRequest("the field \"\(name.rawName)\" is written by the transport")
        }
        return name
    }
}

extension HTTPFields {
    /// Puts a field in place of those of its name.
    package mutating func set(_ field: HTTPField) {
        self[fields: field.name] = [field]
    }
}

extension String {
    /// Whether a byte stands in it that no field's value may have, tabs left aside.
    fileprivate var hasControlCharacter: Bool {
        var text = self
        return text.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return true }
            return false
        }
    }
}
