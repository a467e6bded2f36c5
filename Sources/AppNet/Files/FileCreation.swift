internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// The encoding of a file's members in a creation request (Docs/Protocols/AppNet.md §2.4).
public enum FileMemberForm: Hashable, Sendable {
    /// JSON, which is required for annotations. For a file with content, it is in a part named `metadata`.
    case json

    /// Members of a form. pnut.io requires this for a file with content.
    case form
}

/// A builder of the request bodies that create files.
struct FileCreation: Sendable {
    let file: File
    let dialect: AppNetDialect

    /// The maximum number of derived files (Docs/Protocols/AppNet.md §2.4, §6.3).
    private var maximumDerived: Int {
        switch dialect {
        case .appNet: 32
        case .pnut: 10
        }
    }

    /// Returns the body that creates an incomplete file.
    func body(_ form: FileMemberForm) throws(AppNetError) -> CallRequest.Body {
        try check()
        switch form {
        case .json: return .object(file.sent(onCreation: true))
        case .form:
            var parameters = QueryParameters()
            for (name, value) in try members() { parameters[name] = .single(value) }
            return .content(.form(parameters))
        }
    }

    /// Returns the body that creates a file with content: a form with its members, the content and the derived files.
    ///
    /// - Parameter derived: The derived files by key.
    func body(
        _ form: FileMemberForm,
        content: FileContent,
        derived: [String: FileContent],
        random: RandomSource
    ) throws(AppNetError) -> CallRequest.Body {
        try check()
        try Self.check(keys: Array(derived.keys), maximum: maximumDerived)
        var parts = MultipartForm()
        switch form {
        case .json where dialect == .pnut:
            throw AppNetError(.invalidRequest, "pnut.io accepts a file with content only as a form")
        case .json:
            let json = try CallRequest.json(file.sent(onCreation: true), in: dialect)
            parts.append(
                .data(json, name: "metadata", fileName: "metadata.json", contentType: "application/json")
            )
        case .form:
            for (name, value) in try members() { parts.append(.text(value, name: name)) }
        }
        parts.append(content.part(named: "content"))
        for (key, content) in derived.sorted(by: { $0.key < $1.key }) { parts.append(content.part(named: key)) }
        return .content(.multipart(parts, random: random))
    }

    /// Checks the keys of derived files. They consist of letters, digits and `_`, and must not be names that the form
    /// uses.
    static func check(keys: [String], maximum: Int) throws(AppNetError) {
        guard keys.count <= maximum else {
            throw AppNetError(.invalidRequest, "a file has at most \(maximum) derived files, not \(keys.count)")
        }
        for key in keys {
            let isName = !key.isEmpty && key.utf8.allSatisfy { ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == 95 }
            guard isName, key != "content", key != "metadata" else {
                throw AppNetError(.invalidRequest, "\"\(key)\" is not a valid key of a derived file")
            }
        }
    }

    private func check() throws(AppNetError) {
        guard let type = file.type, !type.isEmpty else {
            throw AppNetError(.invalidRequest, "a file needs a type, such as com.example.photo")
        }
        if let name = file.name, name.unicodeScalars.count > 255 {
            throw AppNetError(.invalidRequest, "a file's name has at most 255 characters")
        }
    }

    /// Returns the members of a form in their order.
    private func members() throws(AppNetError) -> [(String, String)] {
        guard file.annotations?.isEmpty ?? true else {
            throw AppNetError(.invalidRequest, "a form can't have annotations: send the members as JSON")
        }
        let json = try CallRequest.json(file.sent(onCreation: true), in: dialect)
        let members = (try? JSONValue(parsing: json))?.objectValue ?? [:]
        return members.compactMap { name, value in
            (value.boolValue.map { $0 ? "1" : "0" } ?? value.stringValue).map { (name, $0) }
        }
    }
}
