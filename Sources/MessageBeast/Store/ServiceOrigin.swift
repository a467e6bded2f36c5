internal import AppNet
internal import GRDB
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumJSON

/// The service that a database belongs to, as the origin of its API. Ids of users, channels and messages are unique within
/// a service only: the account 1 of one service is another than the account 1 of the next.
struct ServiceOrigin {
    private let origin: Origin

    /// Returns `nil` for a client without a token, because it cannot send what an account has written.
    init?(_ client: AppNetClient) {
        guard client.settings.token != nil, let url = client.settings.baseURL, let origin = try? Origin(url) else {
            return nil
        }
        self.origin = origin
    }

    /// Checks that a database belongs to the service. A database that belongs to none, as those of earlier versions, belongs
    /// to this one from now on.
    ///
    /// - Parameter isReadOnly: Whether the database is not changed.
    /// - Throws: ``MessageBeastError`` of the kind ``MessageBeastError/Kind/otherAccount``. The database is not changed then.
    func claim(_ beast: BeastDatabase, isReadOnly: Bool) throws {
        try MessageBeastError.translating {
            let database = beast.access.database
            var stored = try database.read { try MetaTable(database: $0).value(.service) }
            if stored == nil, !isReadOnly {
                stored = try database.write { database in
                    let meta = MetaTable(database: database)
                    // Another process may have done the same since.
                    if let service = try meta.value(.service) { return service }
                    try meta.set(.service, origin.urlString)
                    return origin.urlString
                }
            }
            guard let stored, !stored.hasSameBytes(as: origin.urlString) else { return }
            throw MessageBeastError(.otherAccount, "the database belongs to an account of another service: \(stored)")
        }
    }
}

extension MessageManager {
    /// Checks that the store belongs to the client's service. Call it for an engine that was created without an account, when
    /// the account of the client's token was found to be that of the store.
    ///
    /// - Throws: ``MessageBeastError`` of the kind ``MessageBeastError/Kind/otherAccount``.
    package func claimService() throws {
        try ServiceOrigin(context.client)?.claim(context.database, isReadOnly: context.options.isReadOnly)
    }
}
