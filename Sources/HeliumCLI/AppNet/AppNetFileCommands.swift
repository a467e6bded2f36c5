import AppNet
import ArgumentParser
import Foundation
import HeliumKit

/// The `helium appnet files` command.
struct AppNetFilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Upload, show and download files.",
        subcommands: [AppNetFileUploadCommand.self, AppNetFileGetCommand.self]
    )
}

/// The `helium appnet files upload FILE` command.
struct AppNetFileUploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Upload a file and print its id."
    )

    @Argument(help: "The path of the file.")
    var file: String

    @OptionGroup var options: AppNetOptions

    @Option(help: "The type of the file: a reverse domain name.")
    var type = UploadedFile.defaultType

    @Option(help: "The media type of the file. Default: by the name of the file.")
    var mediaType: String?

    @Option(help: "The name of the file on the service. Default: the name of the local file.")
    var name: String?

    @Flag(name: .customLong("public"), help: "Let anyone read the file.")
    var isPublic = false

    func validate() throws {
        if let mediaType, MediaType(mediaType) == nil || !mediaType.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
            throw ValidationError("invalid --media-type: use type/subtype, for example text/plain")
        }
    }

    func run() async throws {
        try UploadedFile.check(file)
        try await options.perform { client in
            var upload = UploadedFile(path: file)
            upload.type = type
            upload.mediaType = mediaType
            upload.name = name
            upload.isPublic = isPublic
            let created = try await upload.create(with: client)
            try options.show(created.withoutTokens) { "\(created.id?.text ?? "-")" }
        }
    }
}

/// The `helium appnet files get ID` command.
struct AppNetFileGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show a file. With --output, download its content."
    )

    @Argument(help: "The file's id.")
    var id: AppNet.File.ID

    @OptionGroup var options: AppNetOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file for the content; - for standard output.", valueName: "file")
    )
    var output: String?

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output is empty: give the path of a file") }
        if output == "-", options.isJSON { throw ValidationError("give --output - or --format json, not both") }
    }

    func run() async throws {
        try await options.perform { client in
            let file = try await client.files.get(id)
            if output == "-" {
                // A separate file, because the content may be private, and is written only after the download is complete.
                try await PrivateFile.printing { try await download(file, with: client, to: $0) }
            } else if let output {
                let path = CommandContext.current.path(output)
                if let terminal = Console.terminal(atPath: path) {
                    try await PrivateFile.printing(to: terminal) { try await download(file, with: client, to: $0) }
                } else {
                    try await TerminationSignals.cancelling { try await download(file, with: client, to: path) }
                }
                Console.current.note("helium: \(file.size.map { "\($0) bytes" } ?? "the content") in \(output)")
            }
            if output == nil || options.isJSON {
                try options.show(file.withoutTokens) { AppNetTables.files([file]) }
            }
        }
    }
}

extension AppNetFileGetCommand {
    private func download(_ file: AppNet.File, with client: AppNetClient, to path: String) async throws {
        var options = DownloadOptions()
        let files = CommandContext.current.temporaryFiles
        options.temporaryFile = { files.add($0) }
        switch client.dialect {
        case .appNet: try await client.files.download(id, toPath: path, options: options)
        case .pnut:
            // pnut.io has no request for the content. The file contains its URL (Docs/Protocols/AppNet.md §6.2).
            guard let address = file.url else { throw CommandFailure("the file has no content yet") }
            try await client.files.download(from: address, toPath: path, options: options)
        }
    }
}

/// A local file to upload.
struct UploadedFile {
    /// The default type of files that this tool uploads.
    static let defaultType = "helium.upload"

    var path: String
    var type = Self.defaultType
    var mediaType: String?
    var name: String?
    var isPublic = false

    init(path: String) { self.path = path }

    /// - Throws: `CommandFailure` if the path is not a readable file.
    static func check(_ path: String) throws {
        try FilePath.check(path, for: "the file")
        let file = CommandContext.current.path(path)
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue,
            FileManager.default.isReadableFile(atPath: file)
        else { throw CommandFailure("the file \(path) can't be read") }
    }

    func create(with client: AppNetClient) async throws -> AppNet.File {
        let content = FileContent.file(atPath: CommandContext.current.path(path), name: name, mediaType: mediaType)
        return try await client.files.create(
            AppNet.File(type: type, isPublic: isPublic, name: content.name),
            content: content
        )
    }
}

extension AppNet.File {
    /// A copy without the tokens, for display.
    var withoutTokens: Self {
        var file = self
        file.fileToken = nil
        file.readToken = nil
        return file
    }
}
