internal import HeliumServerKit

extension CosmCall {
    func listKeys() throws -> CosmResponse {
        try use.authorize(.keys)
        let feed = try parameters.integer("feed_id")
        var budget = AnswerBudget(maxima.answerBytes)
        let all = try keys.keys(of: key.owner, checking: { try budget.spend($0) })
        let listed = feed.map { feed in
            all.filter { $0.permissions.contains { $0.resources.contains { $0.feed == feed } } }
        }
        return .reading(.keys(try (listed ?? all).map { try use.grant($0) }))
    }

    func createKey(_ input: KeyInput) throws -> CosmResponse {
        try use.authorize(.keys)
        if try keys.count() >= maxima.keys { throw CosmFailure.full("keys") }
        let secret = state.store.newSecret()
        try keyWriter.insert(input.key(secret, owner: key.owner))
        return .created("/keys/\(secret)")
    }

    func readKey(_ secret: String) throws -> CosmResponse { .reading(.key(try grantedKey(secret))) }

    func updateKey(_ secret: String, _ input: KeyInput) throws -> CosmResponse {
        let stored = try changeableKey(secret).object
        try keyWriter.update(input.key(stored.secret, owner: stored.owner))
        return .done
    }

    func deleteKey(_ secret: String) throws -> CosmResponse {
        _ = try changeableKey(secret)
        try keyWriter.delete(secret)
        return .wrote(WriteEffect(ended: [.key(secret)]))
    }

    /// Returns a key that may be changed and deleted.
    func changeableKey(_ secret: String) throws -> Granted<AccessKey> {
        let key = try grantedKey(secret)
        // The master key cannot be changed, because the ready line has announced it.
        if secret == state.store.masterKey { throw CosmFailure.forbidden }
        return key
    }

    /// Returns a key of the same account if the request's key has access to it.
    private func grantedKey(_ secret: String) throws -> Granted<AccessKey> {
        // The right is checked first, so that a key without it does not learn which keys there are.
        if secret != key.secret { try use.authorize(.keys) }
        guard let found = try keys.key(secret) else { throw CosmFailure.notFound }
        return try use.grant(found)
    }
}
