import ArgumentParser
import Foundation
import HeliumFiles
import HeliumKit

/// The options for the request body. At most one of them may be used.
struct BodyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A JSON body, @FILE to read it from a file, or @- from standard input.", valueName: "body")
    )
    var json: String?

    @Option(
        help: ArgumentHelp(
            """
            A file as the body, read while it is sent; - for standard input. A pipe is sent in chunks, and only once. \
            The media type is given by the file's name, or by --header.
            """,
            valueName: "file"
        )
    )
    var upload: String?

    @Option(
        help: ArgumentHelp(
            "A field of a URL-encoded form. Repeatable. Use --multipart to send a file.",
            valueName: "name=value"
        )
    )
    var form: [NamedValue] = []

    @Option(
        help: ArgumentHelp(
            "The same for text that begins with @, also as a part of --multipart. Repeatable.",
            valueName: "name=value"
        )
    )
    var formString: [NamedValue] = []

    @Option(
        help: ArgumentHelp(
            "A part of a multipart form: name=value, name=@file or name=@file;type=media/type. Repeatable.",
            valueName: "name=value"
        )
    )
    var multipart: [FormField] = []

    func validate() throws {
        let isForm = !form.isEmpty || (!formString.isEmpty && multipart.isEmpty)
        let options = [
            ("--json", json != nil), ("--upload", upload != nil), ("--form", isForm),
            ("--multipart", !multipart.isEmpty),
        ]
        let given = options.filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("give \(given[0]) or \(given[1]), not both") }
        for case .file(let path, _) in multipart.map(\.content) where path == "-" {
            throw ValidationError(
                "standard input can't be a part of --multipart: give the path of a file, ./- for a file named -, or send it alone by --upload -"
            )
        }
        if let field = form.first(where: { $0.value.utf8.first == UInt8(ascii: "@") }) {
            throw ValidationError(
                "invalid --form \(field.name)=@…: use --multipart for a file, or --form-string for text that begins with @"
            )
        }
    }

    /// The text parts of `--multipart`.
    var textParts: [NamedValue] {
        multipart.compactMap { field in
            guard case .text(let text) = field.content else { return nil }
            return NamedValue(name: field.name, value: text)
        }
    }

    /// Whether the body is a multipart form.
    var isMultipart: Bool { !multipart.isEmpty }

    /// Whether the body is large enough for a progress bar.
    var isStreamed: Bool { upload != nil || isMultipart }

    /// Returns the body that the options describe.
    ///
    /// - Throws: `CommandFailure` if a file cannot be read; `ValidationError` if the value of `--json` is not valid JSON.
    func content() throws -> RequestContent? {
        if let json { return try Self.json(json) }
        if let upload {
            if upload == "-" || Self.isPipe(upload) {
                return .upload(UploadBody(pipe: upload))
            }
            try Self.check(upload)
            return .file(atPath: CommandContext.current.path(upload))
        }
        if isMultipart {
            for case .file(let path, _) in multipart.map(\.content) { try Self.check(path) }
            return .multipart(MultipartForm(multipart.map(\.part) + formString.map { .text($0.value, name: $0.name) }))
        }
        let fields = form + formString
        if fields.isEmpty { return nil }
        return .form(QueryParameters(NamedValue.lists(fields)))
    }

    private static func json(_ text: String) throws -> RequestContent {
        var data = Data(text.utf8)
        if text.utf8.first == UInt8(ascii: "@") {
            let path = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
            do { data = try InputFile(path: path).contents() } catch let failure as CommandFailure {
                throw CommandFailure("--json: \(failure)")
            }
        }
        // The text is sent unchanged. It is only checked for valid JSON.
        do {
            _ = try JSONValue(parsing: data)
        } catch let error as DecodingError {
            let place = error.jsonLocation.map { ": \(error.jsonReason ?? "") at \($0)" }
            throw ValidationError("--json is not JSON\(place ?? "")")
        }
        return .json(bytes: data)
    }

    /// Checks that the path is a readable regular file. Only a regular file has a known size.
    private static func check(_ path: String) throws {
        let file = CommandContext.current.path(path)
        guard (try? FileFacts(atPath: file))?.kind == .regular, FileFacts.isReadable(file) else {
            throw unreadable(path)
        }
    }

    private static func isPipe(_ path: String) -> Bool {
        guard let kind = (try? FileFacts(atPath: CommandContext.current.path(path)))?.kind else { return false }
        return [.pipe, .socket, .characterDevice].contains(kind)
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure("the file \(path) can't be read")
    }
}
