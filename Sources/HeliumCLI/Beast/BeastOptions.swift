import AppNet
import ArgumentParser
import Foundation
import HeliumFiles
import MessageBeast

/// The database, the service and the token.
struct BeastOptions: AppNetAccess {
    @Option(name: .customLong("db"), help: ArgumentHelp("The file of the database.", valueName: "file"))
    var file: String?

    @Option(
        help: ArgumentHelp("A name for the database, instead of --db: a file in the user's folder.", valueName: "name")
    )
    var account: String?

    @Option(name: .customLong("dialect"), help: .appNetDialect)
    var dialectArgument = DialectArgument(.appNet)

    @Option(help: .appNetBaseURL)
    var baseUrl: WebURL?

    @OptionGroup var connection: ConnectionOptions

    @Option(help: .appNetToken)
    var token: String?

    @Option(help: .appNetFormat)
    var format = OutputFormat.text

    func validate() throws {
        _ = try baseUrl?.url(for: "--base-url")
        try FilePath.check(file, for: "--db")
        switch (file, account) {
        case (nil, nil): throw ValidationError("no database: give --db FILE or --account NAME")
        case (.some, .some): throw ValidationError("--db and --account both name the database: give one of them")
        case (let file?, nil): if file.isEmpty { throw ValidationError("--db is empty: give the path of a file") }
        case (nil, let account?):
            let isName = !account.isEmpty && !account.hasPrefix(".") && !account.contains { "/\0".contains($0) }
            guard isName else {
                throw ValidationError("invalid --account \"\(account)\": use a name without / at no folder")
            }
        }
    }

    /// Runs `work` with an engine whose client has the token of the database's account.
    ///
    /// - Parameter isNew: Whether the database is created if it is missing.
    /// - Throws: `MessageBeastError` of kind `otherAccount` if the token is that of another account, and `AppNetError` if
    ///   the account of the token cannot be found out. Nothing is stored or sent then: the service would accept messages
    ///   in the other account's name, or reject them.
    func online(
        creating isNew: Bool = false,
        _ work: (MessageManager, AppNetClient) async throws -> Void
    ) async throws {
        try await perform { client in
            let account = try await account(of: client)
            try await run(client, account: account, isNew: isNew, work)
        }
    }

    /// Stores something with `write`, then asks for the account of the token, and then sends with `send`.
    ///
    /// Nothing that was written is lost while the service does not respond. If the account of the token cannot be found
    /// out now, the result of `write` remains stored and is not sent: the token could be that of another account.
    ///
    /// - Parameters:
    ///   - asksFirst: Whether `write` makes requests, so that the account of the token must be known before it.
    ///   - write: Stores something.
    ///   - send: Sends what is stored.
    ///   - show: Shows the result, sent or not.
    /// - Throws: `CommandFailure` if the token is that of another account, and `AppNetError` if it is rejected. The result
    ///   of `write` remains stored then.
    func writing<Written>(
        asksFirst: (MessageManager) async throws -> Bool = { _ in false },
        _ write: (MessageManager) async throws -> Written,
        send: (MessageManager, Written) async throws -> Void,
        show: (MessageManager, Written) async throws -> Void = { _, _ in }
    ) async throws {
        try await perform { client in
            try await run(client, account: nil) { manager, client in
                let isKnown = try await asksFirst(manager)
                if isKnown { try await checkAccount(of: client, for: manager) }
                let written = try await write(manager)
                let mayStillSend = isKnown ? true : try await maySend(client, for: manager)
                if mayStillSend { try await send(manager, written) }
                try await show(manager, written)
            }
        }
    }

    /// Returns whether the token is that of the database's account; `false` if that cannot be found out now.
    private func maySend(_ client: AppNetClient, for manager: MessageManager) async throws -> Bool {
        do {
            try await checkAccount(of: client, for: manager)
            return true
        } catch let error as AppNetError where Self.mayPass(error) {
            Console.current.note("helium: nothing was sent, because the account of the token is unknown: \(error)")
            return false
        } catch {
            Console.current.note("helium: the change is stored, and nothing was sent")
            throw error
        }
    }

    /// Whether the service did not respond, or cannot respond now.
    private static func mayPass(_ error: AppNetError) -> Bool {
        guard let failure = error.underlying, let status = failure.status else { return error.underlying != nil }
        return status >= 500 || failure.isTransient
    }

    private func checkAccount(of client: AppNetClient, for manager: MessageManager) async throws {
        guard try await account(of: client) == manager.account else {
            throw CommandFailure("otherAccount: the token belongs to another account than the database")
        }
        // The account of the same id can be that of another service.
        try await manager.claimService()
    }

    /// Returns the account of the token.
    private func account(of client: AppNetClient) async throws -> AppNetUser.ID {
        guard let id = try await client.users.get(.me).id else {
            throw CommandFailure("the service did not return the id of the token's user")
        }
        return id
    }

    /// Runs `work` with an engine that makes no requests and only reads, so that it waits for no other process.
    func reading(_ work: (MessageManager) async throws -> Void) async throws {
        try await performOffline { client in
            try await run(client, account: nil, isReadOnly: true) { manager, _ in
                try await Self.noteLimits(of: manager)
                try await work(manager)
            }
        }
    }

    /// Says what a command that only reads cannot find.
    private static func noteLimits(of manager: MessageManager) async throws {
        let remedy = "a command that writes, or helium beast doctor --rebuild,"
        if try await manager.needsUpgrade() {
            Console.current.note("helium: searches use the index of an older version: \(remedy) upgrades it")
        }
        if try await manager.needsDerivation() {
            Console.current.note(
                """
                helium: hashtags, places and dates may be incomplete, because they were found with other settings or are \
                being found again: \(remedy) completes them
                """
            )
        }
    }

    /// Runs `work` with an engine that makes no requests.
    func offline(_ work: (MessageManager) async throws -> Void) async throws {
        try await performOffline { client in
            try await run(client, account: nil) { manager, _ in try await work(manager) }
        }
    }

    /// Runs `work` with an engine that makes no requests. A missing database is created.
    ///
    /// - Parameter account: Returns the account of a new database.
    func offline(
        creating account: () throws -> AppNetUser.ID?,
        _ work: (MessageManager) async throws -> Void
    ) async throws {
        try await performOffline { client in
            let isNew = try !FileManager.default.fileExists(atPath: path(creating: false))
            try await run(client, account: isNew ? account() : nil, isNew: isNew) { manager, _ in
                try await work(manager)
            }
        }
    }

    /// Returns the path of the existing database.
    func existingPath() throws -> String {
        let path = try path(creating: false)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("there is no database at \(path): create it with helium beast init")
        }
        return path
    }

    private func run(
        _ client: AppNetClient,
        account: AppNetUser.ID?,
        isNew: Bool = false,
        isReadOnly: Bool = false,
        _ work: (MessageManager, AppNetClient) async throws -> Void
    ) async throws {
        let isNew = isNew && account != nil
        let path = try path(creating: isNew)
        if !isNew, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("there is no database at \(path): create it with helium beast init")
        }
        // Automatic sending is off, because the command does not wait for it and could end during it.
        var options = MessageManager.Options()
        options.sendsAutomatically = false
        options.isReadOnly = isReadOnly
        let manager: MessageManager
        do {
            manager = try MessageManager(
                client: client,
                account: account,
                store: .file(path),
                configuration: Self.configuration,
                options: options
            )
        } catch let error as MessageBeastError where [.notADatabase, .cannotOpen].contains(error.kind) {
            throw CommandFailure("\(file ?? path): \(error)")
        }
        do {
            if !isReadOnly { try await UpgradeDisplay.start(manager) }
            try await work(manager, client)
            await manager.close()
        } catch {
            await manager.close()
            throw error
        }
    }

    private func path(creating isNew: Bool) throws -> String {
        if let file { return CommandContext.current.path(file) }
        let folder = try isNew ? UserFolder.state.create() : UserFolder.state.path()
        let databases = folder + "/beast"
        if isNew {
            do {
                try Folders.create(databases, mode: 0o700)
            } catch {
                throw CommandFailure("the folder \(databases) can't be created: \(error)")
            }
        }
        return "\(databases)/\(account ?? "").sqlite"
    }

    /// The configuration with all look-ups that the commands use.
    private static var configuration: MessageManagerConfiguration {
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = [
            MessageBeastNames.oembed, MessageBeastNames.attachments, MessageBeastNames.checkin,
            MessageBeastNames.geolocation, MessageBeastNames.ohaiLocation, MessageBeastNames.displayDate,
        ]
        configuration.dateAdapter = .ohaiDisplayDate
        return configuration
    }
}

extension MessageManager {
    /// Returns the channel of a command: the named channel, or the only channel with messages.
    func channel(_ named: AppNetChannel.ID?) async throws -> AppNetChannel.ID {
        let stored = try await channels()
        if let named {
            guard stored.contains(where: { $0.id == named }) else {
                throw CommandFailure("the channel \(named) is not in the database")
            }
            return named
        }
        let content = stored.filter { $0.role == .content }
        guard let only = content.first, content.count == 1 else {
            throw CommandFailure("the database has \(content.count) channels with messages: give --channel ID")
        }
        return only.id
    }
}
