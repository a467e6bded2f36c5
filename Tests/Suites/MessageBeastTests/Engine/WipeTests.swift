import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumDatabase
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("The remains of a wipe", .timeLimit(.minutes(5)))
struct WipeTests {
    /// A word of messages, pairs of CJK characters of messages, a hashtag, and the name of a place.
    private static let words = ["xylophonist", "東京", "harmonica", "brobdingnag"]

    /// Returns the words that the files of a database contain.
    private func found(_ path: String) -> [String] {
        let files = ["", "-wal"].map { (try? Data(contentsOf: URL(fileURLWithPath: path + $0))) ?? Data() }
        return Self.words.filter { word in files.contains { $0.range(of: Data(word.utf8)) != nil } }
    }

    /// An engine whose messages, sent and unsent, have the words.
    private func filled(_ path: String) async throws -> MessageManager {
        let world = try await BeastWorld()
        let manager = try world.manager(.file(path)) { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(300, of: manager) {
            .init(text: "Message \($0) of the xylophonist in 東京 #harmonica")
        }
        try await manager.fullSync(of: channel).run()
        var unsent = Message(text: "An unsent xylophonist")
        let place = Place(name: "brobdingnag", latitude: 50.1, longitude: 8.6)
        try unsent.addLocation(CustomPlace(id: "home", place: place))
        _ = try await manager.create(unsent, in: channel)
        return manager
    }

    @Test("a wipe leaves no word of a message in the file, in its log or in an index", .behaviour(110, 130))
    func words() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let manager = try await filled(path)
        #expect(found(path) == Self.words)
        try await manager.wipe()
        #expect(found(path) == [])
        #expect(try await manager.check() == [])
        await manager.stop()
        try manager.context.database.access.close()
        #expect(found(path) == [])
    }

    @Test("a wipe succeeds while another connection reads, and the words are gone when it has ended")
    func reader() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let manager = try await filled(path)
        try await manager.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 20") }
        let end = try beginReading(path)
        try await manager.wipe()
        #expect(try await manager.channels() == [])
        try end()
        await manager.stop()
        try manager.context.database.access.close()
        #expect(found(path) == [])
    }

    /// Opens another connection, which reads the database as it is now.
    ///
    /// - Returns: A function that ends it.
    private func beginReading(_ path: String) throws -> () throws -> Void {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN; SELECT count(*) FROM message") }
        return {
            try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try other.close()
        }
    }
}
