internal import HeliumJSON
internal import HeliumServerKit

extension CosmCall {
    func listUsers() throws -> CosmResponse {
        try authorize(.users)
        return .reading(.users(try users.users()))
    }

    func createUser() throws -> CosmResponse {
        try authorize(.users)
        if try users.count() >= maxima.users { throw CosmFailure.full("users") }
        if try keys.count() >= maxima.keys { throw CosmFailure.full("keys") }
        let (login, members) = try userInBody()
        guard let login, UserRules.isLogin(login) else {
            throw CosmFailure.invalid("Login is not 1 to 64 letters, digits, - or _")
        }
        if try users.user(login) != nil { throw CosmFailure.invalid("Login has already been taken") }
        let secret = state.store.newSecret()
        var user = UserRecord.new(login, key: secret)
        user.apply(members)
        try users.insert(user)
        try keys.insert(.master(secret, owner: login))
        return .created("/users/\(login)")
    }

    func readUser(_ login: String) throws -> CosmResponse { .reading(.user(try authorizedUser(login))) }

    func updateUser(_ login: String) throws -> CosmResponse {
        var user = try authorizedUser(login)
        user.apply(try userInBody().members)
        try users.update(user)
        return .done
    }

    /// Deletes an account with its feeds, keys and triggers. The account of the server's owner cannot be deleted.
    func deleteUser(_ login: String) throws -> CosmResponse {
        _ = try authorizedUser(login)
        if login == state.configuration.owner { throw CosmFailure.forbidden }
        let ended = try feeds.feeds(of: login).map(remove(feed:)) + keys.keys(of: login).map { .key($0.secret) }
        try keys.deleteAll(of: login)
        try triggers.deleteAll(of: login)
        try users.delete(login)
        return .wrote(WriteEffect(ended: ended))
    }

    private func userInBody() throws -> (login: String?, members: JSONObject) {
        try body(
            json: UserDocument.read,
            xml: { node throws(CosmFailure) in try UserDocument.read(XMLInput.user(node)) }
        )
    }

    private func authorizedUser(_ login: String) throws -> UserRecord {
        try authorize(.user(login))
        guard let user = try users.user(login) else { throw CosmFailure.notFound }
        return user
    }
}
