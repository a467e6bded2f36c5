internal import HTTPTypes

extension AppNetRoutes {
    /// Files (§2.4). A file token takes the place of the scope `files`, so that the calls on one file check it
    /// themselves.
    static let fileRoutes: [AppNetRoute] =
        [
            AppNetRoute(.post, path: "files", access: .user, scopes: uploading) { try $0.createFile() },
            AppNetRoute(.get, path: "files", access: .user, scopes: [.files]) { try $0.filesByID() },
            AppNetRoute(.get, path: "users/me/files", access: .user, scopes: [.files], isPaginated: true) {
                try $0.myFiles()
            },
            AppNetRoute(.get, path: "files/{id}", access: .varies) { try $0.fileByID() },
            AppNetRoute(.put, .patch, path: "files/{id}", access: .user) { try $0.updateFile() },
            AppNetRoute(.delete, path: "files/{id}", access: .user) { try $0.deleteFile() },
            AppNetRoute(.get, path: "files/{id}/content", access: .user) { try $0.contentLocation(key: "") },
            AppNetRoute(.put, path: "files/{id}/content", access: .user) { try $0.setContent(key: "") }
                .with { $0.takesBytes = true },
            AppNetRoute(.get, path: "files/{id}/content/{key}", access: .user) {
                try $0.contentLocation(key: $0.segment("key"))
            },
            AppNetRoute(.put, path: "files/{id}/content/{key}", access: .user) {
                try $0.setContent(key: $0.segment("key"))
            }.with { $0.takesBytes = true },
            AppNetRoute(.post, path: "files/{id}/content/{key}", access: .user) { try $0.addDerivedFile() },
            AppNetRoute(.post, path: "files/{id}/{key}", access: .user) { call in
                // That is no key, but the file's own content, which is put.
                guard call.segment("key") != "content" else { throw AppNetFailure.methodNotAllowed(["GET", "PUT"]) }
                return try call.addDerivedFile()
            },
        ] + contentRoutes

    /// What the URLs in answers lead to.
    private static let contentRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "{file}/{key}/{expires}/{proof}/{name}", area: .content, access: .none) {
            try $0.fileContent()
        },
        AppNetRoute(.get, path: "p/{name}", area: .content, access: .none) { try $0.publicFile() },
        AppNetRoute(.get, path: "p/{name}/{label}", area: .content, access: .none) { try $0.publicFile() },
        AppNetRoute(.get, path: "a/{token}/{key}/{label}", area: .content, access: .none) { try $0.attachedFile() },
    ]

    /// Uploading needs only one of these (§1.2).
    static let uploading: Set<AppNetScope> = [
        .files, .writePost, .messages, .publicMessages, .updateProfile,
    ]
}
