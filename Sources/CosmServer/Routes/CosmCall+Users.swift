internal import HeliumServerKit

extension CosmCall {
    func listUsers() throws -> CosmResponse {
        try use.authorize(.users)
        let sizes = try users.sizes()
        var room = ListRoom(count: sizes.count, maximumBytes: maxima.answerBytes)
        // In XML an empty role has eleven times the bytes of the stored JSON: `<creatable_role></creatable_role>`.
        let factor = format == .xml ? 11 : 1
        let all = try sizes.compactMap { login, bytes in
            room.take(factor * bytes) ? try users.user(login) : .abbreviated(login)
        }
        return .reading(.users(try all.map { try use.grant($0) }))
    }

    func createUser(_ input: UserInput) throws -> CosmResponse {
        try use.authorize(.users)
        if try users.count() >= maxima.users { throw CosmFailure.full("users") }
        guard let login = input.login, UserRules.isLogin(login) else {
            throw CosmFailure.invalid("Login is not 1 to 64 letters, digits, - or _")
        }
        if try users.user(login) != nil { throw CosmFailure.invalid("Login has already been taken") }
        let secret = state.store.newSecret()
        var user = UserRecord.new(login, key: secret)
        user.apply(input.members)
        try users.insert(user)
        try keyWriter.insert(.master(secret, owner: login))
        return .created("/users/\(login)")
    }

    func readUser(_ login: String) throws -> CosmResponse { .reading(.user(try grantedUser(login))) }

    func updateUser(_ login: String, _ input: UserInput) throws -> CosmResponse {
        var user = try grantedUser(login).object
        user.apply(input.members)
        try users.update(user)
        return .done
    }

    /// The number of feeds of a deleted account that are deleted in one transaction.
    private static let feedsPerTransaction = 10

    /// Deletes an account with its feeds, keys and triggers. The account of the server's owner cannot be deleted.
    ///
    /// The feeds are deleted first, some in each transaction, so that a deletion that ends early can be repeated.
    func deleteUser(_ login: String) throws -> CosmResponse {
        _ = try grantedUser(login)
        if login == state.configuration.owner { throw CosmFailure.forbidden }
        let owned = try feeds.feeds(of: login, limit: Self.feedsPerTransaction)
        var effect = WriteEffect(ended: owned.map { .feed($0) })
        for feed in owned { try remove(feed: feed) }
        effect.leavesPoints = try PointRemoval(database: database).proceed()
        guard owned.count < Self.feedsPerTransaction else { return .unfinished(effect) }
        effect.ended += try keys.secrets(of: login).map { .key($0) }
        try keyWriter.deleteAll(of: login)
        try triggers.deleteAll(of: login)
        try users.delete(login)
        return .wrote(effect)
    }

    func grantedUser(_ login: String) throws -> Granted<UserRecord> {
        // The right is checked first, so that a key without it does not learn which accounts there are.
        try use.authorize(.user(login))
        guard let user = try users.user(login) else { throw CosmFailure.notFound }
        return try use.grant(user)
    }
}
