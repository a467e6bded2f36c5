import ArgumentParser
import Foundation
import HeliumFiles
import HeliumKit

/// What a request brings along: at most one of the options.
struct BodyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A JSON body, or @FILE to read it from a file.", valueName: "body"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "A file as the body, read while it is sent. Its media type comes from its name, or from --header.",
            valueName: "file"
        )
    )
    var upload: String?

    @Option(
        help: ArgumentHelp(
            "A part of a multipart form: name=value, name=@file or name=@file;type=media/type. Repeatable.",
            valueName: "name=value"
        )
    )
    var form: [FormField] = []

    func validate() throws {
        let options = [("--json", json != nil), ("--upload", upload != nil), ("--form", !form.isEmpty)]
        let given = options.filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("give \(given[0]) or \(given[1]), not both") }
    }

    /// Whether the body is of a size that is worth a progress bar.
    var isStreamed: Bool { upload != nil || !form.isEmpty }

    /// The body that the options describe.
    ///
    /// - Throws: `ValidationError` for a file that can't be read, and for JSON that is none.
    func content() throws -> RequestContent? {
        if let json { return try Self.json(json) }
        if let upload {
            try Self.check(upload)
            return .file(atPath: upload)
        }
        if form.isEmpty { return nil }
        for case .file(let path, _) in form.map(\.content) { try Self.check(path) }
        return .multipart(MultipartForm(form.map(\.part)))
    }

    private static func json(_ text: String) throws -> RequestContent {
        var data = Data(text.utf8)
        if text.hasPrefix("@") {
            let path = String(text.dropFirst())
            guard let contents = FileManager.default.contents(atPath: path) else { throw unreadable(path) }
            data = contents
        }
        // It is sent as it stands; only that it is JSON is checked.
        do {
            _ = try JSONValue(parsing: data)
        } catch let error as DecodingError {
            let place = error.jsonLocation.map { ": \(error.jsonReason ?? "") at \($0)" }
            throw ValidationError("--json is no JSON\(place ?? "")")
        }
        return .json(data)
    }

    /// Only a regular file has a size that can be announced.
    private static func check(_ path: String) throws {
        guard (try? FileFacts(atPath: path))?.kind == .regular, FileFacts.isReadable(path) else {
            throw unreadable(path)
        }
    }

    private static func unreadable(_ path: String) -> ValidationError {
        ValidationError("the file \(path) can't be read")
    }
}
