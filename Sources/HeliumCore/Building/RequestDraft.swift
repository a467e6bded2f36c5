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
    var timeouts: PhaseTimeouts?
    var total: Duration??
    var acceptableStatusCodes: Range<Int>?
    var envelope: ResponseEnvelope?
    var bodyBytes: Int?
    var httpVersion: HTTPVersionPolicy?
}

extension RequestDraft {
    /// Checks everything and makes the request; no I/O.
    func prepared(
        for pipeline: Pipeline,
        accept: String?,
        selection: String?,
        isStream: Bool
    ) throws(HeliumError) -> PreparedRequest {
        let options = pipeline.options
        do throws(InvalidRequest) {
            var parameters = parameters
            if let selection, parameters[options.selectionParameter] == nil {
                parameters[options.selectionParameter] = .single(selection)
            }
            let target = try pipeline.targets.target(
                template: path,
                replacements: replacements,
                parameters: parameters,
                listStyle: listStyle ?? options.listStyle
            )
            var timeouts = timeouts ?? options.timeouts
            if let total { timeouts.total = total }
            var request = TransportRequest(
                method: method,
                url: RequestURL(origin: pipeline.origin, target: target),
                fields: pipeline.baseFields,
                timeouts: timeouts,
                limits: options.limits,
                responseBody: isStream ? .stream : .collect(upTo: bodyBytes ?? options.limits.bodyBytes),
                version: httpVersion ?? (isStream ? options.streamHTTPVersion : options.httpVersion)
            )
            if let accept, !request.fields.contains(.accept) {
                request.fields.append(HTTPField(name: .accept, value: accept))
            }
            if let content {
                request.body = try bytes(of: content, options: options)
                if let type = content.contentType {
                    request.fields.set(HTTPField(name: .contentType, value: type))
                }
            }
            try apply(fields, to: &request.fields)
            return PreparedRequest(
                request: request,
                acceptableStatusCodes: acceptableStatusCodes ?? options.acceptableStatusCodes
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
        let path = self.path.prefix { $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    private func bytes(of content: RequestContent, options: ClientOptions) throws(InvalidRequest) -> Data {
        switch content.payload {
        case .bytes(let data):
            return data
        case .form(let parameters):
            var out: [UInt8] = []
            try TargetBuilder.appendQuery(
                parameters,
                style: listStyle ?? options.listStyle,
                isFirst: true,
                leading: 0,
                to: &out
            )
            return Data(out)
        case .encodable(let value):
            do {
                return try options.encoder.encode(value)
            } catch {
                throw InvalidRequest(encoding: type(of: value), error: error)
            }
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
