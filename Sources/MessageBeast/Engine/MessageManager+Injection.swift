package import AppNet
package import HeliumDatabase

extension MessageManager {
    /// Creates an engine whose database, owners and client the caller provides, for simulations of processes that are
    /// killed.
    ///
    /// - Parameters:
    ///   - client: The transport, the clock and the random source.
    ///   - database: The access to the database, which is migrated to the current schema. It may outlive the engine.
    ///   - owners: The engines that use the database.
    ///   - connectivity: Reports whether the service can be reached. Default: `nil`, no reports.
    ///   - staged: The bytes of pending files, which may outlive the engine too. Default: `nil`, bytes that are lost
    ///     with the engine.
    ///   - pass: Called before each access to the staged files with the name of the access; throws after the engine has
    ///     ended.
    /// - Throws: The errors of the public initializer.
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
