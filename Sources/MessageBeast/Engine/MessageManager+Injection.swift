package import AppNet
package import HeliumDatabase

extension MessageManager {
    /// An engine whose database, owners and client are the caller's: for simulations of processes that are killed.
    ///
    /// - Parameters:
    ///   - client: The transport, the clock and the random source.
    ///   - database: The access to the database, which gets the present schema. It may outlive the engine.
    ///   - owners: The engines that use the database.
    ///   - connectivity: Tells whether the service can be reached. Default: nothing does.
    ///   - staged: The bytes of pending files, which may outlive the engine as well. Default: lost with the engine.
    ///   - pass: Called before each access to them with the name of a place; throws after the end of the engine.
    /// - Throws: As the public initializer.
    package init(
        client: AppNetClient,
        account: AppNetUser.ID,
        database: DatabaseAccess,
        owners: any ClaimOwners,
        configuration: MessageManagerConfiguration = MessageManagerConfiguration(),
        options: Options = Options(),
        connectivity: (any Connectivity)? = nil,
        staged: StagedDisk? = nil,
        passing pass: @escaping @Sendable (String) throws -> Void = { _ in }
    ) throws {
        try self.init(
            client: client,
            account: account,
            database: try MessageBeastError.translating { try BeastDatabase(database, account: account.text) },
            owners: owners,
            configuration: configuration,
            options: options,
            geocoder: nil,
            connectivity: connectivity,
            staged: staged?.gated(pass) ?? StagedMemory()
        )
    }
}
