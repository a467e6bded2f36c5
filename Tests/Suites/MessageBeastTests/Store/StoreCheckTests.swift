import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("Checking and repairing a store")
struct StoreCheckTests {
    private func filled() throws -> Journal {
        let journal = try Journal()
        try journal.store(
            (1...9).reversed().map {
                Journal.message($0, "今日は \($0)", annotations: [LocationTests.ohai("東京 \($0)", 1, 2, id: "u\($0)")])
            }
        )
        try journal.expectSound()
        return journal
    }

    private func problems(_ journal: Journal) throws -> [String] {
        try journal.writer.write { try StoreCheck(database: $0).problems() }
    }

    @Test(
        "a check finds missing, extra and wrong index rows, and a repair derives them again",
        arguments: [
            "DELETE FROM message_words WHERE rowid = 3", "UPDATE message_words SET text = 'a b' WHERE rowid = 3",
            "INSERT INTO message_words (rowid, text) VALUES (99, 'a')", "DELETE FROM location_words WHERE rowid = 3",
            "DELETE FROM place_words", "DELETE FROM location_rtree WHERE local_id = 3",
            "UPDATE location_rtree SET max_latitude = 50, min_latitude = 49 WHERE local_id = 3",
            "INSERT INTO location_rtree VALUES (99, 1, 1, 2, 2)",
            // The words of the row and the index differ.
            "UPDATE message_words_content SET c0 = 'a b' WHERE id = 3", "DELETE FROM message_words_data WHERE id > 10",
            "DELETE FROM place_words_data WHERE id > 10",
        ]
    )
    func faults(sql: String) throws {
        let journal = try filled()
        try journal.writer.write { try $0.execute(sql: sql) }
        #expect(try problems(journal).count == 1)
        try journal.writer.write { try StoreCheck(database: $0).rebuild() }
        try journal.expectSound()
        #expect(try journal.search("今日").count == 9)
        #expect(try journal.read { try $0.search(placeName: "東京", in: Journal.channel).count } == 9)
    }

    @Test("a check reports a message that cannot be decoded, and others can still be read")
    func unreadable() throws {
        let journal = try Journal()
        try journal.store((1...9).reversed().map { Journal.message($0, "word #tag", annotations: [Journal.mood]) })
        try journal.writer.write {
            try $0.execute(sql: "UPDATE message SET json = '{\"text\": 3' WHERE id IN ('9', '5', '4', '3')")
        }
        let damaged = try journal.sql(
            "SELECT local_id FROM message WHERE id IN ('9', '5', '4', '3') ORDER BY sort_key DESC",
            as: Int64.self
        ).map { MessagePlus.ID($0) }
        let all = try journal.read { try $0.page(of: Journal.channel, limit: nil) }
        #expect(journal.ids(all.messages) == [8, 7, 6, 2, 1] && all.unreadable == damaged)
        let first = try journal.read { try $0.page(of: Journal.channel, limit: 3) }
        #expect(journal.ids(first.messages) == [8, 7, 6] && first.next != nil)
        let second = try journal.read { try $0.page(of: Journal.channel, after: first.next, limit: 1) }
        #expect(journal.ids(second.messages) == [2] && second.next != nil)
        let last = try journal.read { try $0.page(of: Journal.channel, after: second.next, limit: 1) }
        #expect(journal.ids(last.messages) == [1] && last.next == nil)
        #expect(try journal.search("word", limit: 1) == [8])
        #expect(try journal.search("word", limit: 4) == [8, 7, 6, 2])
        let ranked = try journal.read { try $0.search(text: "word", in: Journal.channel, order: .rank, limit: 4) }
        #expect(ranked.count == 4)
        #expect(try journal.read { try $0.messages(in: Journal.channel, hashtag: "tag", limit: 1).count } == 1)
        #expect(try journal.read { try $0.messages(ids: [9, 8]).count } == 1)
        let reported = try problems(journal)
        #expect(reported.count == 4 && reported.allSatisfy { $0.hasSuffix("cannot be read") })
    }
}
