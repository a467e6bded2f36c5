import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("Pages of a channel")
struct PagingTests {
    private func walk(_ journal: Journal, limit: Int) throws -> [Int] {
        var ids: [Int] = []
        var cursor: MessageCursor?
        repeat {
            let page = try journal.read { try $0.page(of: Journal.channel, after: cursor, limit: limit) }
            ids += journal.ids(page.messages)
            cursor = page.next
        } while cursor != nil
        return ids
    }

    @Test("each of three messages with equal display dates is on one page, always in the same order", .behaviour(32))
    func equalDates() throws {
        let journal = try Journal()
        try journal.store([3, 2, 1].map { Journal.message($0, at: 1) })
        for limit in 1...4 { #expect(try walk(journal, limit: limit) == [3, 2, 1]) }
    }

    @Test("pages lose and repeat nothing if dates have fractions of a second", .behaviour(34))
    func fractions() throws {
        let journal = try Journal { $0.dateAdapter = .ohaiDisplayDate }
        var messages: [Message] = []
        for id in 1...30 {
            var message = Journal.message(id)
            message.addDisplayDate(Journal.start.addingTimeInterval(Double(id / 3) / 1000))
            messages.insert(message, at: 0)
        }
        try journal.store(messages)
        for limit in [1, 2, 3, 7, 30] { #expect(try walk(journal, limit: limit) == (1...30).reversed()) }
    }

    @Test("a back-dated message is listed at its display date and keeps its place in the order of ids")
    func backDated() throws {
        let journal = try Journal { $0.dateAdapter = .ohaiDisplayDate }
        var entry = Journal.message(30)
        entry.addDisplayDate(Journal.start.addingTimeInterval(15.5))
        try journal.store([entry, Journal.message(20), Journal.message(15), Journal.message(10)])
        #expect(try walk(journal, limit: 2) == [20, 30, 15, 10])
        let stored = try #require(try journal.read { try $0.message(id: 30) })
        #expect(stored.displayDate == Journal.start.addingTimeInterval(15.5))
        #expect(stored.message.createdAt == Journal.start.addingTimeInterval(30))
        #expect(try journal.sql("SELECT sort_key FROM message ORDER BY sort_key") == [10, 15, 20, 30])
    }

    @Test("an adapter that returns no display date leaves the creation date", .behaviour(36))
    func noDate() throws {
        let journal = try Journal { $0.dateAdapter = .init(version: 1) { _ in nil } }
        try journal.store([Journal.message(7)])
        #expect(try journal.read { try $0.message(id: 7)?.displayDate } == Journal.start.addingTimeInterval(7))
    }

    @Test("a page without a limit has all messages, one of 0 none, and a negative limit is an error")
    func limits() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2), Journal.message(1)])
        func page(_ limit: Int?) throws -> MessagePage {
            try journal.read { try $0.page(of: Journal.channel, limit: limit) }
        }
        #expect(try page(nil).messages.count == 2)
        #expect(try page(0) == MessagePage(messages: [], next: nil))
        #expect(try page(.max).messages.count == 2)
        let error = #expect(throws: MessageBeastError.self) { try page(-1) }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("a page that has exactly the remaining messages has no next page")
    func lastPage() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2), Journal.message(1)])
        #expect(try journal.read { try $0.page(of: Journal.channel, limit: 2).next } == nil)
        #expect(try journal.read { try $0.page(of: Journal.channel, limit: 1).next } != nil)
        #expect(try journal.read { try $0.page(of: 999, limit: 1).messages } == [])
    }

    @Test("a page of a date range includes its beginning and excludes its end")
    func range() throws {
        let journal = try Journal()
        try journal.store((1...9).reversed().map { Journal.message($0) })
        let found = try journal.read {
            try $0.messages(
                in: Journal.channel,
                from: Journal.start.addingTimeInterval(3),
                to: Journal.start.addingTimeInterval(6)
            )
        }
        #expect(journal.ids(found) == [5, 4, 3])
        let before = MessageCursor(before: Journal.start.addingTimeInterval(3))
        #expect(
            try journal.read { try journal.ids($0.page(of: Journal.channel, after: before, limit: 9).messages) } == [
                2, 1,
            ]
        )
    }

    @Test("unsent messages are newest among equal dates, and drafts and hidden rows are not listed")
    func unsent() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, at: 0)])
        try journal.insertUnsent("unsent", "waits")
        try journal.insertUnsent("draft", "draft", kind: "draft", sequence: 2)
        try journal.insertUnsent("hidden", "hidden", sequence: 3)
        try journal.writer.write { try $0.execute(sql: "UPDATE message SET hidden = 1 WHERE id = 'hidden'") }
        let messages = try journal.read { try $0.page(of: Journal.channel, limit: nil).messages }
        #expect(messages.map { $0.message.id?.text } == ["unsent", "1"])
        #expect(messages[0].isUnsent && messages[0].sendAttemptsCount == 2)
        #expect(try journal.search("hidden") == [] && journal.search("draft") == [])
        #expect(try journal.read { try $0.messages(ids: ["draft", "hidden"]) } == [])
        try journal.expectSound()
    }

    @Test("messages are found by ids of any number, and by temporary ids after they were sent", .behaviour(111))
    func byID() throws {
        let journal = try Journal()
        try journal.store((1...5000).reversed().map { Journal.message($0) })
        let ids = (1...6000).map { Message.ID($0) }
        #expect(try journal.read { try $0.messages(ids: ids).count } == 5000)
        try journal.insertUnsent("token-1", "waits")
        #expect(try journal.read { try $0.message(id: "token-1")?.message.text } == "waits")
        try journal.writer.write {
            try $0.execute(sql: "UPDATE message SET id = '7000', kind = 'sent' WHERE client_token = 'token-1'")
        }
        #expect(try journal.read { try $0.message(id: "token-1")?.message.id } == 7000)
        #expect(try journal.read { try $0.messages(ids: ["token-1", "7000", "3", "none"]).count } == 2)
        #expect(try journal.read { try $0.messages(ids: []) } == [])
    }

    @Test("a page costs the same at any depth of a channel")
    func depth() throws {
        let journal = try Journal()
        try journal.store((1...3000).reversed().map { Journal.message($0) })
        func steps(_ cursor: MessageCursor?) throws -> Int {
            try journal.steps { database in
                let reader = MessageReader(database: database, configuration: journal.configuration)
                let page = try reader.page(of: Journal.channel, after: cursor, limit: 50)
                #expect(page.messages.count == 50)
            }
        }
        let first = try steps(nil)
        let deep = try steps(MessageCursor(before: Journal.start.addingTimeInterval(100)))
        #expect(Double(deep) <= 1.2 * Double(first) && first < 5000, "\(first), \(deep)")
    }
}
