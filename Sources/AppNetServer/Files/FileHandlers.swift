internal import HeliumJSON

/// The calls for files (Docs/Protocols/AppNet.md §2.4).
struct FileHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: FileFinder { FileFinder(context) }
    private var writer: FileWriter { FileWriter(context) }

    /// Handles `POST files` in any of its four forms.
    func create() throws -> AppNetResponse {
        let file = try writer.create(FileInput(creating: context.request.body))
        return .data(try context.renderer.file(file, token: .write))
    }

    /// Handles `GET files?ids=`. Returns the files that the caller may read, in the order of the query.
    func readMany() throws -> AppNetResponse {
        let ids = try context.parameters.ids()
        try require(!ids.isEmpty, "You must supply ids.")
        let found = try ids.compactMap { id -> JSONValue? in
            guard let file = try tables.files.file(id) else { return nil }
            let access = try FileAccess(to: file, of: context)
            guard access.mayRead else { return nil }
            return try context.renderer.file(file, token: access.shownToken)
        }
        return .data(.array(found))
    }

    /// Handles `GET users/me/files`.
    func listOwn() throws -> AppNetResponse {
        let owner = try context.me()
        let options = context.options
        return try context.page(
            fetch: { try tables.files.files(of: owner, $0) },
            id: \.id,
            includes: { file in
                (options.fileTypes?.contains(file.type) ?? true)
                    && (options.includesIncomplete || file.isComplete) && (options.includesPrivate || file.isPublic)
            },
            render: shown
        )
    }

    /// Handles `GET files/{id}`.
    func read() throws -> AppNetResponse {
        let (file, access) = try finder.readable()
        return .data(try context.renderer.file(file, token: access.shownToken))
    }

    /// Handles `PUT files/{id}`.
    func update() throws -> AppNetResponse {
        let file = try finder.own()
        let changed = try writer.update(file, try FileInput(try context.body()))
        return .data(try shown(changed))
    }

    /// Returns the JSON object of a file for its owner.
    private func shown(_ file: FileRecord) throws -> JSONValue {
        try context.renderer.file(file, token: FileAccess(to: file, of: context).shownToken)
    }

    /// Handles `DELETE files/{id}`. The response contains the deleted file.
    func delete() throws -> AppNetResponse {
        let file = try finder.own()
        let json = try context.renderer.file(file, token: .none)
        try writer.delete(file)
        return .data(json)
    }
}
