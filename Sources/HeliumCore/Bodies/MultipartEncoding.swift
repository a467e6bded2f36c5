internal import HTTPTypes
internal import HeliumEssentials

/// The encoding of a form: delimiters, part headers and contents (RFC 7578, RFC 2046 §5.1).
struct MultipartEncoding {
    /// The text that separates the parts.
    let boundary: String

    /// Creates an encoding with a boundary of 128 random bits. A collision with the contents is so improbable that the
    /// contents are not searched for it.
    init(random: RandomSource) {
        let bits = [random.bits(), random.bits()].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        boundary = "helium-\(bits.joined())"
    }

    /// The body's media type.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Returns the encoded form. The sizes of files are read now.
    func body(of form: MultipartForm) throws(InvalidRequest) -> UploadBody {
        guard !form.parts.isEmpty else { throw InvalidRequest("the multipart form has no parts") }
        var segments: [UploadBody.Segment] = []
        var pending = Data()
        for (index, part) in form.parts.enumerated() {
            pending += Data("\(index == 0 ? "" : "\r\n")--\(boundary)\r\n\(try header(of: part))\r\n".utf8)
            switch part.content {
            case .data(let data): pending += data
            case .file(let path): append(UploadBody(fileAtPath: path), after: &pending, to: &segments)
            case .upload(let body): append(body, after: &pending, to: &segments)
            }
        }
        pending += Data("\r\n--\(boundary)--\r\n".utf8)
        segments.append(.bytes(pending))
        return UploadBody(joining: segments)
    }

    private func append(_ body: UploadBody, after pending: inout Data, to segments: inout [UploadBody.Segment]) {
        segments.append(.bytes(pending))
        segments.append(.body(body))
        pending = Data()
    }

    private func header(of part: MultipartForm.Part) throws(InvalidRequest) -> String {
        guard !part.name.isEmpty else { throw InvalidRequest("a part of the multipart form has no name") }
        var text = "Content-Disposition: form-data; name=\"\(Self.escape(part.name))\""
        if let fileName = part.fileName { text += "; filename=\"\(Self.escape(fileName))\"" }
        text += "\r\n"
        if let type = part.contentType {
            guard !type.isEmpty, type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw InvalidRequest("the part \"\(part.name)\" has an invalid media type")
            }
            text += "Content-Type: \(type)\r\n"
        }
        for field in part.fields {
            guard field.name != .contentDisposition, field.name != .contentType else {
                throw InvalidRequest("the part \"\(part.name)\" must not set the field \(field.name.rawName)")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidRequest("the field \(field.name.rawName) of a part has a control character")
            }
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return text
    }

    /// Escapes names and file names the way browsers do (HTML, "multipart/form-data encoding algorithm"): in UTF-8,
    /// escaping only characters that would end the line or the quoted text.
    static func escape(_ name: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": out.append(contentsOf: "%22".unicodeScalars)
            case "\r": out.append(contentsOf: "%0D".unicodeScalars)
            case "\n": out.append(contentsOf: "%0A".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = Self(constant: "Content-Disposition")
}
