internal import Foundation

/// A problem document (RFC 9457): how many APIs say what is wrong. A member of another type than the standard's counts as
/// missing (section 3.1).
public struct ProblemDetails: Hashable, Sendable {
    /// A URI reference that names the kind of problem. Default: `about:blank`, no more than the status says.
    public var type = "about:blank"

    /// The status, as the document says: a proxy may have changed the answer's own.
    public var status: Int?

    /// What kind of problem it is, for people.
    public var title: String?

    /// What is wrong this time, for people.
    public var detail: String?

    /// A URI reference that names this occurrence.
    public var instance: String?

    /// All other members: strings as they are, anything else as its JSON text with sorted members. For typed access see
    /// ``HeliumError/decodedBody(as:at:using:)``.
    public var extensions: [String: String] = [:]

    /// A problem without members.
    public init() {}
}

extension ProblemDetails: Decodable {
    /// Takes what is there.
    ///
    /// - Throws: What the decoder throws for a value that is no object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        func text(_ name: String) -> String? { try? container.decode(String.self, forKey: MemberName(name)) }
        if let type = text("type") { self.type = type }
        status = try? container.decode(Int.self, forKey: MemberName("status"))
        (title, detail, instance) = (text("title"), text("detail"), text("instance"))
        for key in container.allKeys
        where !Self.standardNames.contains(key.stringValue) {
            let value = try? container.decode(JSONText.self, forKey: key)
            extensions[key.stringValue] = value?.plain
        }
    }

    private static let standardNames: Set<ByteText> = ["type", "status", "title", "detail", "instance"]

    /// A problem document is JSON whatever else a client reads.
    init?(body: Data) {
        guard let problem = try? HeliumJSONDecoder().decode(Self.self, from: body, at: []) else { return nil }
        self = problem
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// `title: detail (type, instance)`, what there is of it.
    public var description: String {
        let texts = [title, detail].compactMap(\.self).joined(separator: ": ")
        let names = [type.hasSameBytes(as: "about:blank") ? nil : type, instance].compactMap(\.self).joined(
            separator: ", "
        )
        let parts = [texts, names.isEmpty ? "" : "(\(names))"].filter { !$0.isEmpty }
        return parts.isEmpty ? "a problem without members" : parts.joined(separator: " ")
    }

    /// The same with secrets masked.
    func redacted(by redactor: Redactor) -> Self {
        var copy = self
        copy.type = redactor.redact(type)
        copy.title = title.map(redactor.redact)
        copy.detail = detail.map(redactor.redact)
        copy.instance = instance.map(redactor.redact)
        copy.extensions = Dictionary(
            extensions.map { (redactor.redact($0.key), redactor.redact($0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
        return copy
    }
}

/// Any JSON value as text.
private struct JSONText: Decodable {
    let json: String
    private let string: String?

    /// Of a string the string itself.
    var plain: String { string ?? json }

    init(from decoder: any Decoder) throws {
        var string: String?
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            let texts = try members.allKeys.sorted { $0.stringValue.bytesPrecede($1.stringValue) }.map {
                "\(Self.quoted($0.stringValue)):\(try members.decode(JSONText.self, forKey: $0).json)"
            }
            json = "{\(texts.joined(separator: ","))}"
        } else if var elements = try? decoder.unkeyedContainer() {
            var texts: [String] = []
            while !elements.isAtEnd { texts.append(try elements.decode(JSONText.self).json) }
            json = "[\(texts.joined(separator: ","))]"
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                json = "null"
            } else if let bool = try? value.decode(Bool.self) {
                json = "\(bool)"
            } else if let text = try? value.decode(String.self) {
                string = text
                json = Self.quoted(text)
            } else if let integer = try? value.decode(Int64.self) {
                json = "\(integer)"
            } else {
                json = "\(try value.decode(Double.self))"
            }
        }
        self.string = string
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                out += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
