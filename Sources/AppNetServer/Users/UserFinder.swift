/// Finds the users in a request.
struct UserFinder: RequestScoped {
    let context: AppNetContext

    /// Returns the user of the path's `{user}`: an id, `@username` or `me` (Docs/Protocols/AppNet.md §2).
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the user does not exist, or the error of ``AppNetContext/me()``.
    func user() throws -> AppNetUser {
        guard let user = try named(context.segment("user")) else { throw AppNetFailure.notFound }
        return user
    }

    /// Returns the user with an id or `@username`, or the caller for `me`; `nil` if the user does not exist.
    func named(_ text: String) throws -> AppNetUser? {
        if text == "me" { return try tables.users.user(try context.me()) }
        if text.hasPrefix("@") { return try tables.users.user(name: String(text.dropFirst())) }
        return try Int64(text).flatMap { try tables.users.user($0) }
    }

    /// Returns the id of the user with an id or `@username`, or the caller's for `me`; `nil` if the user does not exist.
    /// A list from a client may name one user in very many spellings, so the row with its profile is not decoded.
    func id(named text: String) throws -> Int64? {
        if text == "me" { return try tables.users.id(context.me()) }
        if text.hasPrefix("@") { return try tables.users.id(name: String(text.dropFirst())) }
        return try Int64(text).flatMap { try tables.users.id($0) }
    }

    /// Returns the caller.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the account was deleted, or the error of ``AppNetContext/me()``.
    func caller() throws -> AppNetUser {
        guard let user = try tables.users.user(try context.me()) else { throw AppNetFailure.notFound }
        return user
    }

    /// Returns the user with a name and a password; `nil` if they do not match.
    func signedIn(_ name: String, password: String) throws -> AppNetUser? {
        guard let user = try tables.users.user(name: name), let stored = user.password, stored.matches(password) else {
            return nil
        }
        return user
    }
}
