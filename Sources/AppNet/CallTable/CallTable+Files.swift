// The calls of Docs/Protocols/AppNet.md §2.4.
extension CallSpecification {
    /// The scopes of which an upload needs one.
    private static let uploadScopes: [AuthScope] = [
        .files, .writePost, .messages, .publicMessages, .updateProfile,
    ]

    static let createFile = Self("files.create", .post("files"), .user, scopes: uploadScopes, returns: File.self)
    static let file = Self("files.get", .get("files/:file"), .varies, returns: File.self)
    static let filesByID = Self(
        "files.byIDs",
        .get("files", query: "ids"),
        .user,
        scopes: [.files],
        returns: [File].self
    )
    static let ownFiles = Self(
        "files.own",
        .get("users/me/files"),
        .user,
        scopes: [.files],
        returns: [File].self,
        pages: true,
        subscribable: true
    )
    static let updateFile = Self(
        "files.update",
        .put("files/:file"),
        pnut: .at(.patch("files/:file")),
        .user,
        scopes: [.files],
        returns: File.self
    )
    static let deleteFile = Self("files.delete", .delete("files/:file"), .user, scopes: [.files], returns: File.self)
    static let fileContent = Self(
        "files.content",
        .get("files/:file/content"),
        pnut: .none,
        .user
    )
    static let setFileContent = Self(
        "files.setContent",
        .put("files/:file/content"),
        .user,
        scopes: uploadScopes
    )
    static let derivedContent = Self(
        "files.derivedContent",
        .get("files/:file/content/:key"),
        pnut: .none,
        .user
    )
    static let setDerivedContent = Self(
        "files.setDerivedContent",
        .put("files/:file/content/:key"),
        .user,
        scopes: uploadScopes
    )
    static let addDerivedContent = Self(
        "files.addDerivedContent",
        .post("files/:file/content/:key"),
        pnut: .none,
        .user,
        scopes: uploadScopes,
        returns: File.self
    )
}

extension CallTable {
    static let files: [CallSpecification] = [
        .createFile, .file, .filesByID, .ownFiles, .updateFile, .deleteFile, .fileContent, .setFileContent,
        .derivedContent, .setDerivedContent, .addDerivedContent,
    ]
}
