internal import HTTPTypes

extension AppNetRoutes {
    /// Files (§2.4). A file token takes the place of the scope `files`, so that the calls on one file check it
    /// themselves.
    static let fileRoutes: [AppNetRoute] =
        [
            AppNetRoute(.post, "files", .user, scopes: uploadScopes) { try FileHandlers($0).create() },
            AppNetRoute(.get, "files", .user, scopes: [.files]) { try FileHandlers($0).readMany() },
            AppNetRoute(.get, "users/me/files", .user, scopes: [.files], isPaginated: true) {
                try FileHandlers($0).listOwn()
            },
            AppNetRoute(.get, "files/{id}", .varies) { try FileHandlers($0).read() },
            AppNetRoute(.put, "files/{id}", .user) { try FileHandlers($0).update() },
            AppNetRoute(.patch, "files/{id}", .user) { try FileHandlers($0).update() },
            AppNetRoute(.delete, "files/{id}", .user) { try FileHandlers($0).delete() },
            AppNetRoute(.get, "files/{id}/content", .user) { try FileContentHandlers($0).locate() },
            AppNetRoute(.put, "files/{id}/content", .user) { try FileContentHandlers($0).set() }
                .with { $0.takesBytes = true },
            AppNetRoute(.get, "files/{id}/content/{key}", .user) { try FileContentHandlers($0).locate() },
            AppNetRoute(.put, "files/{id}/content/{key}", .user) { try FileContentHandlers($0).set() }
                .with { $0.takesBytes = true },
            AppNetRoute(.post, "files/{id}/content/{key}", .user) { try FileContentHandlers($0).addDerived() },
            AppNetRoute(.post, "files/{id}/{key}", .user) { context in
                // That is no key, but the file's own content, which is put.
                guard context.segment("key") != "content" else { throw AppNetFailure.methodNotAllowed(["GET", "PUT"]) }
                return try FileContentHandlers(context).addDerived()
            },
        ] + contentRoutes

    /// What the URLs in answers lead to.
    private static let contentRoutes: [AppNetRoute] = [
        AppNetRoute(.get, "{file}/{key}/{expires}/{proof}/{name}", .none, area: .content) {
            try FileContentHandlers($0).read()
        },
        AppNetRoute(.get, "p/{name}", .none, area: .content) { try FileContentHandlers($0).redirectToPublic() },
        AppNetRoute(.get, "p/{name}/{label}", .none, area: .content) { try FileContentHandlers($0).redirectToPublic() },
        AppNetRoute(.get, "a/{token}/{key}/{label}", .none, area: .content) {
            try FileContentHandlers($0).redirectToAttached()
        },
    ]

    /// Uploading needs only one of these (§1.2).
    static let uploadScopes: Set<AppNetScope> = [
        .files, .writePost, .messages, .publicMessages, .updateProfile,
    ]
}
