import AppNet
import Foundation
import HeliumCore
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("The service of a MessageBeast store", .timeLimit(.minutes(5)))
struct ServiceOriginTests {
    private static func client(of server: RunningServer, hasToken: Bool = true) throws -> AppNetClient {
        let token = try #require(server.ready.appNet.users.first).token
        return try AppNetClient(
            configuration: AppNetConfiguration(
                token: hasToken ? Secret(token) : nil,
                dialect: .appNet,
                baseURL: server.ready.appNet.root
            )
        )
    }

    /// Opens a database with a client of a server.
    private static func open(
        _ path: String,
        _ server: RunningServer,
        account: AppNetUser.ID? = "1",
        hasToken: Bool = true,
        isReadOnly: Bool = false
    ) throws -> MessageManager {
        var options = MessageManager.Options()
        options.sendsAutomatically = false
        options.isReadOnly = isReadOnly
        return try MessageManager(
            client: client(of: server, hasToken: hasToken),
            account: account,
            store: .file(path),
            options: options
        )
    }

    /// Runs `body` with two services, whose first accounts have the same id, and the path of a database.
    private func withServices(_ body: (RunningServer, RunningServer, _ path: String) async throws -> Void) async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("journal.sqlite").path
            try await withEmbeddedServer { first in
                try await withEmbeddedServer { second in
                    for server in [first, second] {
                        #expect(try await Self.client(of: server).users.get(.me).id == "1")
                    }
                    try await body(first, second, path)
                }
            }
        }
    }

    @Test("a database of one service is refused with a token of another, although the ids of the accounts are equal")
    func otherService() async throws {
        try await withServices { first, second, path in
            let manager = try Self.open(path, first)
            let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
            _ = try await manager.create(Message(text: "For the first service"), in: channel)
            await manager.close()
            for isReadOnly in [false, true] {
                let error = #expect(throws: MessageBeastError.self) {
                    try Self.open(path, second, isReadOnly: isReadOnly)
                }
                #expect(error?.kind == .otherAccount)
                let origin = try Origin(first.ready.appNet.root).description
                #expect(error.map { "\($0)".contains(origin) } == true, "\(String(describing: error))")
            }
            // Without an account, the caller says nothing of the token. It is checked before anything is sent.
            let unsaid = try Self.open(path, second, account: nil)
            await #expect(throws: MessageBeastError.self) { try await unsaid.claimService() }
            await unsaid.close()
            let again = try Self.open(path, first)
            try await again.sendAll(in: channel)
            #expect(try await again.page(of: channel).messages.map(\.state) == [.sent])
            await again.close()
        }
    }

    @Test("a database of an earlier version belongs to the service of the first client with a token that opens it")
    func earlierVersion() async throws {
        try await withServices { first, second, path in
            await (try Self.open(path, first, hasToken: false)).close()
            await (try Self.open(path, first, isReadOnly: true)).close()
            await (try Self.open(path, first, account: nil)).close()
            await (try Self.open(path, second)).close()
            #expect(throws: MessageBeastError.self) { try Self.open(path, first) }
            // A client without a token sends nothing.
            await (try Self.open(path, first, hasToken: false)).close()
            let manager = try Self.open(path, second)
            try await manager.wipe()
            await manager.close()
            #expect(throws: MessageBeastError.self) { try Self.open(path, first) }
        }
    }

    @Test("an export moves a database to another service")
    func moved() async throws {
        try await withServices { first, second, path in
            let manager = try Self.open(path, first)
            try await manager.export(to: path + ".export")
            await manager.close()
            let other = try Self.open(path + ".moved", second)
            try await other.restore(from: path + ".export")
            await other.close()
            #expect(throws: MessageBeastError.self) { try Self.open(path + ".moved", first) }
        }
    }
}
