internal import HeliumJSON

/// The calls for files (Docs/Protocols/AppNet.md §2.4).
struct FileHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: FileFinder { FileFinder(context) }
    private var writer: FileWriter { FileWriter(context) }

    /// Handles `POST files` in any of its four forms.
    func create(_ input: FileInput) throws -> AppNetResponse {
        let file = try writer.create(input)
        return try .object(context.renderer.file(file, token: .new))
    }

    /// Handles `GET files?ids=`. Returns the files that the caller may read, in the order of the query.
    func readMany() throws -> AppNetResponse {
        let ids = try context.parameters.ids()
        try require(!ids.isEmpty, "You must supply ids.")
        let renderer = context.renderer
        let found = try ids.compactMap { try tables.files.file($0) }.compactMap { try renderer.file($0) }
        return .data(.array(found))
    }

    /// Handles `GET users/me/files`.
    func listOwn() throws -> AppNetResponse {
        let owner = try context.me()
        let (options, renderer) = (context.options, context.renderer)
        return try context.page(
            fetch: { try tables.files.files(of: owner, $0) },
            id: \.id,
            includes: { file in
                (options.fileTypes?.contains(file.type) ?? true)
                    && (options.includesIncomplete || file.isComplete) && (options.includesPrivate || file.isPublic)
            },
            render: { try renderer.file($0) }
        )
    }

    /// Handles `GET files/{id}`.
    func read() throws -> AppNetResponse {
        try .object(context.renderer.file(finder.readable().file))
    }

    /// Handles `PUT files/{id}`.
    func update() throws -> AppNetResponse {
        let file = try finder.own()
        let changed = try writer.update(file, try FileInput(try context.body()))
        return try .object(context.renderer.file(changed))
    }

    /// Handles `DELETE files/{id}`. The response contains the deleted file.
    func delete() throws -> AppNetResponse {
        let file = try finder.own()
        let json = try context.renderer.file(file, token: .none)
        try writer.delete(file)
        return try .object(json)
    }
}
