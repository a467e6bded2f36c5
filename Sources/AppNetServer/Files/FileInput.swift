internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The members that a client sends to create or change a file, in any of the forms (Docs/Protocols/AppNet.md §2.4).
struct FileInput: Sendable {
    /// A content: the file's own, which has an empty key, or a derived file.
    struct Upload: Sendable {
        var key: String
        let name: String?
        let mediaType: String
        let bytes: [UInt8]
        /// The facts about the bytes. Computing them takes time proportional to the bytes.
        let facts: ContentFacts

        init(key: String, name: String?, mediaType: String, bytes: [UInt8]) {
            self.key = key
            self.name = name
            self.mediaType = mediaType
            self.bytes = bytes
            facts = ContentFacts(bytes)
        }
    }

    /// The content of a request for a file that exists, without its key; the failure if there is none. The failure is the
    /// response only if the caller may change the file.
    typealias SentContent = Result<Upload, AppNetFailure>

    var kind: String?
    var type: String?
    var name: String?
    var isPublic: Bool?
    /// The annotations; `nil` if the request does not contain any.
    var annotations: JSONValue?
    var uploads: [Upload] = []

    /// Reads the members of a JSON object or a form.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for members of the wrong type.
    init(_ members: JSONValue) throws(AppNetFailure) {
        if let fault = members.textFault { throw .unusable(fault) }
        func text(_ name: String, upTo length: Int) throws(AppNetFailure) -> String? {
            guard let value = members[name], value != .null else { return nil }
            guard let text = value.stringValue, text.unicodeScalars.count <= length else {
                throw .badRequest("\(name) must be a text of at most \(length) characters.")
            }
            return text.isEmpty ? nil : text
        }
        kind = try text("kind", upTo: 16)
        type = try text("type", upTo: FileRecord.maximumTypeLength)
        name = try text("name", upTo: FileRecord.maximumNameLength)
        if let kind, !Self.kinds.contains(kind) { throw .badRequest("\(kind) is not a kind of file.") }
        if let flag = members["public"] ?? members["is_public"], flag != .null {
            guard let isPublic = flag.lenientFlag else { throw .badRequest("public must be true or false.") }
            self.isPublic = isPublic
        }
        if let annotations = members["annotations"], annotations != .null { self.annotations = annotations }
    }

    private static let kinds: Set = ["image", "other", "audio", "video"]

    /// Reads a complete request for a new file, in any of the four forms.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid body.
    init(creating body: AppNetBody) throws(AppNetFailure) {
        guard case .multipart(let form) = body else {
            try self.init(try body.document())
            return
        }
        let parts = form.parts
        if let metadata = parts.first(where: \.isMetadata) {
            guard let document = JSONValue.parse(metadata.text), case .object = document else {
                throw .badRequest("The part metadata must be a JSON object.")
            }
            try self.init(document)
        } else {
            let plain = parts.filter { $0.fileName == nil }
            try self.init(.object(plain.map { ($0.name, .string($0.text)) }))
        }
        for part in parts where part.fileName != nil && part.name != "metadata" {
            uploads.append(Upload(part, key: part.name == "content" ? "" : part.name))
        }
        try require(uploads.isEmpty || uploads.contains(where: { $0.key.isEmpty }), "The part content is missing.")
        try require(Set(uploads.map(\.key)).count == uploads.count, "Two parts have the same name.")
    }

    /// Returns the content of a multipart body (`POST files/{id}/content/{key}`, and pnut's `PUT`), or of a body of bytes.
    static func content(of request: AppNetRequest) -> SentContent {
        if case .multipart(let form) = request.body {
            guard let part = form["content"] else { return .failure(.badRequest("The part content is missing.")) }
            return .success(Upload(part, key: ""))
        }
        let type = request.fields[.contentType].flatMap { FileRules.isMediaType($0) ? $0 : nil }
        return .success(
            Upload(
                key: "",
                name: request.fields[.appNetFileName],
                mediaType: type ?? "application/octet-stream",
                bytes: request.bytes
            )
        )
    }
}

extension MultipartBody.Part {
    /// Whether the part is a JSON document with the members of a new file.
    var isMetadata: Bool {
        name == "metadata" && mediaType.map { HeaderParameters($0).value == "application/json" } ?? false
    }
}

extension FileInput.Upload {
    init(_ part: MultipartBody.Part, key: String) {
        self.init(
            key: key,
            name: part.fileName.flatMap { $0.isEmpty ? nil : $0 },
            // The type must be valid, because it is sent back as a header value.
            mediaType: part.mediaType.flatMap { FileRules.isMediaType($0) ? $0 : nil } ?? "application/octet-stream",
            bytes: part.body
        )
    }
}

extension HTTPField.Name {
    static let appNetFileName = Self.known("X-ADN-Filename")
}
