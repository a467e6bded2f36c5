package import HTTPTypes
internal import HeliumEssentials

/// The settings that a builder has collected so far.
struct RequestDraft: Sendable {
    var method: HTTPRequest.Method
    var path: String
    var replacements = PathReplacements()
    var parameters = QueryParameters()
    var listStyle: QueryParameters.ListStyle?
    var fields: [FieldChange] = []
    var content: RequestContent?
    var settings = CallSettings()
}

/// The settings of a call that differ from its client's. Most calls set none, so a builder carries one word for all of
/// them.
@dynamicMemberLookup
struct CallSettings: Sendable {
    /// The values. `nil` and `.none` mean that the client's setting is used.
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
        /// A fixed URL that replaces the path and parameters. Pagination uses it for the next page.
        var url: RequestURL?
        var retry: RetryPolicy?
        var isRetryable: Bool?
        var redirects: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
    }

    /// The values behind one reference, so that reading one value does not copy the others.
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
    /// Validates the call and creates its request, without I/O.
    func prepared(
        for pipeline: Pipeline,
        accept: String?,
        resultType: Any.Type?,
        isStream: Bool,
        transport: (any HTTPTransport)? = nil
    ) throws(HeliumError) -> PreparedRequest {
        do throws(InvalidRequest) {
            let settings = settings.box
            let isPlain = TargetBuilder.isPlain(path)
            var request = try request(
                for: pipeline,
                isPlain: isPlain,
                accept: accept,
                resultType: resultType,
                isStream: isStream
            )
            let key = try idempotencyKey(pipeline, addingTo: &request.fields)
            let traits = RetryTraits(request, hasKey: key != nil, isRetryable: settings?.values.isRetryable)
            return PreparedRequest(
                request: consume request,
                // Most paths are their own template, so no copy is made.
                template: isPlain ? path : template,
                acceptableStatusCodes: settings?.values.acceptableStatusCodes ?? pipeline.options.acceptableStatusCodes,
                retry: settings?.values.retry ?? pipeline.options.retry,
                retryTraits: traits,
                redirects: settings?.values.redirects ?? pipeline.options.redirects,
                idempotencyKey: key,
                transport: transport
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
        isPlain: Bool,
        accept: String?,
        resultType: Any.Type?,
        isStream: Bool
    ) throws(InvalidRequest) -> TransportRequest {
        // Reads the options through the pipeline each time, because a copy of all options would cost more than the rest
        // of the request.
        let settings = settings.box
        var timeouts = settings?.values.timeouts ?? pipeline.options.timeouts
        if let total = settings?.values.total { timeouts.total = total }
        var request = TransportRequest(
            method: method,
            url: try url(for: pipeline, isPlain: isPlain, resultType: resultType),
            fields: accept == pipeline.acceptedType ? pipeline.acceptingFields : pipeline.baseFields,
            timeouts: timeouts,
            limits: pipeline.options.limits,
            responseBody: isStream
                ? .stream : .collect(upTo: settings?.values.bodyBytes ?? pipeline.options.limits.bodyBytes),
            version: settings?.values.httpVersion
                ?? (isStream ? pipeline.options.streamHTTPVersion : pipeline.options.httpVersion)
        )
        if let accept, accept != pipeline.acceptedType { request.fields = request.fields.accepting(accept) }
        if let content {
            switch content.payload {
            case .upload(let upload): request.upload = upload
            case .preparing(let make): request.upload = try make()
            case .bytes(let data): request.body = data
            case .form(let parameters): request.body = try bytes(of: parameters, pipeline.options)
            case .encodable(let value): request.body = try bytes(of: value, pipeline.options)
            }
            if let type = content.contentType {
                request.fields.set(.contentType, to: type)
            }
            if request.upload != nil || settings?.values.uploadProgress != nil {
                applyTransfers(to: &request, pipeline)
            }
        }
        // Compression gains little for a stream: most carry short lines, which a server would hold back to compress
        // them.
        request.acceptsContentCodings = settings?.values.acceptsContentCodings ?? !isStream
        try apply(fields, to: &request.fields)
        return request
    }

    private func url(for pipeline: Pipeline, isPlain: Bool, resultType: Any.Type?) throws(InvalidRequest) -> RequestURL
    {
        if let fixed = settings.box?.values.url { return fixed }
        var parameters = parameters
        if let resultType, let parameter = pipeline.options.vocabulary.resultParameter,
            parameters[parameter.name] == nil, let value = parameter.value(resultType)
        {
            parameters[parameter.name] = .single(value)
        }
        let target = try pipeline.targets.target(
            template: path,
            isPlain: isPlain,
            replacements: replacements,
            parameters: parameters,
            listStyle: listStyle ?? pipeline.options.listStyle
        )
        return RequestURL(origin: pipeline.origin, target: target)
    }

    /// The path as it was written, without its query, which may contain values.
    private var template: String {
        if TargetBuilder.isPlain(self.path) { return self.path }
        if let place = TargetBuilder.absolutePlace(self.path) { return place }
        let path = self.path.prefix { $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// Returns the call's key: the caller's, given as a key or as a field, or a new one for the methods that receive
    /// one.
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
        fields.set(name, to: key.rawValue)
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
        _ changes: [FieldChange],
        to fields: inout HTTPFields
    ) throws(InvalidRequest) {
        for change in changes {
            let name = try change.name.checked()
            guard let value = change.value else {
                fields[fields: name] = []
                continue
            }
            // `HTTPField` would turn a line break into a space. A request must not silently differ from what the caller
            // set.
            guard !value.hasControlCharacter else {
                throw InvalidRequest("the value of the field \"\(name.rawName)\" has a control character")
            }
            if change.isAdded {
                fields.append(HTTPField(name: name, value: value))
            } else {
                fields.set(name, to: value)
            }
        }
    }
}

extension RequestDraft {
    /// A change of the fields that the client sends by default.
    struct FieldChange {
        let name: FieldName
        /// `nil` removes the fields of that name.
        let value: String?
        /// Whether fields of the same name are kept.
        var isAdded = false
    }

    /// A field's name as the caller gave it. Text may be an invalid name.
    enum FieldName: Sendable {
        case text(String)
        case name(HTTPField.Name)
    }
}

extension RequestDraft.FieldName {
    /// Returns whether the transport writes this field itself, because it depends on the body or the connection.
    /// Comparing the lengths first is enough for most names.
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
                throw InvalidRequest("\"\(text)\" is not a valid field name")
            }
            name = valid
        }
        guard !Self.isReserved(name.canonicalName) else {
            throw InvalidRequest("the field \"\(name.rawName)\" is set by the transport")
        }
        return name
    }
}

extension HTTPFields {
    /// Returns the fields with `Accept: type`, unless they have that field.
    func accepting(_ type: String) -> HTTPFields {
        var fields = self
        if !fields.contains(.accept) { fields.set(.accept, to: type) }
        return fields
    }

    /// Replaces all fields of the same name with `field`.
    package mutating func set(_ field: HTTPField) {
        self[fields: field.name] = [field]
    }

    /// Replaces all fields of the same name with one that has this value. Costs less than to set a field.
    package mutating func set(_ name: HTTPField.Name, to value: String) {
        if name == .cookie {
            // The subscript splits cookies.
            set(HTTPField(name: name, value: value))
        } else if contains(name) {
            self[name] = value
        } else {
            // Most names are new. The subscript would copy the field several times.
            append(HTTPField(name: name, value: value))
        }
    }
}

extension String {
    /// Whether the text contains a byte that is not allowed in a field value: a control character other than a tab.
    fileprivate var hasControlCharacter: Bool {
        var text = self
        return text.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return true }
            return false
        }
    }
}
