internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for files (Docs/Protocols/AppNet.md §2.4). A file token replaces the scope `files`, so the calls for a
    /// single file check the scope themselves.
    static let fileRoutes: [AppNetRoute] =
        [
            AppNetRoute(
                .post,
                "files",
                scopes: uploadScopes,
                parsing: { try FileInput(creating: $0.body) },
                by: FileHandlers.create
            ).with { $0.bodyLimit = .file },
            AppNetRoute(.get, "files", scopes: [.files], by: FileHandlers.readMany),
            AppNetRoute(.get, "users/me/files", scopes: [.files], isPaginated: true, by: FileHandlers.listOwn),
            AppNetRoute(.get, "files/{id}", .varies, by: FileHandlers.read),
            AppNetRoute(.put, "files/{id}", by: FileHandlers.update),
            AppNetRoute(.patch, "files/{id}", by: FileHandlers.update),
            AppNetRoute(.delete, "files/{id}", by: FileHandlers.delete),
            AppNetRoute(.get, "files/{id}/content", by: FileContentHandlers.locate),
            AppNetRoute(.put, "files/{id}/content", parsing: FileInput.content, by: FileContentHandlers.set)
                .with { ($0.takesBytes, $0.bodyLimit) = (true, .file) },
            AppNetRoute(.get, "files/{id}/content/{key}", by: FileContentHandlers.locate),
            AppNetRoute(.put, "files/{id}/content/{key}", parsing: FileInput.content, by: FileContentHandlers.set)
                .with { ($0.takesBytes, $0.bodyLimit) = (true, .file) },
            AppNetRoute(
                .post,
                "files/{id}/content/{key}",
                parsing: FileInput.content,
                by: FileContentHandlers.addDerived
            )
            .with { $0.bodyLimit = .file },
            AppNetRoute(.post, "files/{id}/{key}", parsing: FileInput.content, by: FileContentHandlers.addNamed)
                .with { $0.bodyLimit = .file },
        ] + contentRoutes

    /// The targets of URLs in responses.
    private static let contentRoutes: [AppNetRoute] = [
        AppNetRoute(.get, "{file}/{key}/{expires}/{proof}/{name}", .none, area: .content, by: FileContentHandlers.read),
        AppNetRoute(.get, "p/{name}", .none, area: .content, by: FileContentHandlers.redirectToPublic),
        AppNetRoute(.get, "p/{name}/{label}", .none, area: .content, by: FileContentHandlers.redirectToPublic),
        AppNetRoute(.get, "a/{token}/{key}/{label}", .none, area: .content, by: FileContentHandlers.redirectToAttached),
    ]

    /// The scopes of which an upload needs one (Docs/Protocols/AppNet.md §1.2).
    static let uploadScopes: Set<AppNetScope> = [
        .files, .writePost, .messages, .publicMessages, .updateProfile,
    ]
}
