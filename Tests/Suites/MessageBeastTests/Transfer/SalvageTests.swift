import AppNet
import Foundation
import GRDB
import HeliumDatabase
import Testing

@testable import MessageBeast

@Suite("Exporting a damaged store", .timeLimit(.minutes(5)))
struct SalvageTests {
    private static let count = 600

    /// A database whose messages fill many pages.
    private func filled(_ files: ExportFiles) throws -> String {
        let path = files.folder.path("damaged.sqlite")
        let journal = try Journal(.open(path, account: "1"), Version1File.configuration)
        let filler = String(repeating: "word ", count: 200)
        try journal.store((1...Self.count).reversed().map { Journal.message($0, "Number\($0)end \(filler)") })
        try journal.insertUnsent("token", "Unsent")
        try journal.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try journal.writer.close()
        return path
    }

    /// Overwrites the pages that have a text.
    private func damage(_ path: String, _ texts: [String]) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        for text in texts {
            let position = try #require(data.range(of: Data(text.utf8))).lowerBound / 4096 * 4096
            data.replaceSubrange(position..<(position + 4096), with: Data(repeating: 0xA5, count: 4096))
        }
        try data.write(to: url)
    }

    @Test("an export of a damaged store has the readable rows, counts the others, and can be imported")
    func damaged() throws {
        let files = try ExportFiles()
        let path = try filled(files)
        try damage(path, ["Number77end", "Number300end", "Number301end", "Number520end"])
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let report = try MessageManager.salvage(path, to: files.export)
        #expect(report.summary.channels == 2 && report.summary.unsent == 1)
        #expect(report.problems == ["\(report.summary.damaged) rows of message cannot be read"])
        #expect((4...40).contains(report.summary.damaged))
        #expect(report.summary.messages + report.summary.damaged == Self.count + 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let new = try files.empty()
        let result = try files.read(into: new)
        #expect(result.rows[.message] == report.summary.messages && result.dropped == 0)
        let journal = try Journal(new, Version1File.configuration)
        try journal.expectSound()
        // Both neighbours of the damaged pages, and what comes after the last one.
        for number in [1, 60, 90, 280, 320, 500, 540, 600] {
            #expect(try journal.search("Number\(number)end") == [number])
        }
        #expect(try journal.search("Unsent").count == 1)
    }

    @Test("an export for a damaged store has everything of a sound one")
    func sound() throws {
        let files = try ExportFiles()
        try files.filled().access.database.close()
        let report = try MessageManager.salvage(files.folder.path("old.sqlite"), to: files.export)
        #expect(report.problems == [])
        #expect(report.summary == ExportSummary(channels: 2, messages: 10, unsent: 4, deletions: 3, files: 2))
        let new = try files.empty()
        #expect(try files.read(into: new).dropped == 0)
    }

    @Test("an export of a damaged store leaves out rows that refer to missing ones, and parks messages without a state")
    func orphans() throws {
        let files = try ExportFiles()
        try files.filled().access.database.close()
        _ = try MessageManager.salvage(files.folder.path("old.sqlite"), to: files.export)
        var lines = try files.lines.filter {
            // An outbox row, the channel of actions, and a message that another one depends on.
            !$0.hasPrefix(#"{"outbox":{"local_id":9"#) && !$0.hasPrefix(#"{"channel":{"id":"200""#)
                && !$0.hasPrefix(#"{"message":{"local_id":6"#)
        }
        lines[lines.count - 1] = #"{"end":{"lines":\#(lines.count - 1)}}"#
        try files.replace(with: lines)
        let new = try files.empty()
        // Two actions, their specs, and the outbox row of the message.
        #expect(try files.read(into: new).dropped == 3)
        let writer = new.access.database
        #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") } == 7)
        #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM action_spec") } == 0)
        let states = try writer.read {
            try String.fetchAll($0, sql: "SELECT local_id || ' ' || state FROM outbox ORDER BY local_id")
        }
        #expect(states == ["7 sending", "8 sending", "9 parked"])
        try Journal(new, Version1File.configuration).expectSound()
    }

    @Test("an export of a damaged store leaves out messages that have the documents of other messages")
    func otherDocuments() throws {
        let files = try ExportFiles()
        let old = try files.filled()
        try old.access.database.write { database in
            try database.execute(sql: "UPDATE message SET json = json_set(json, '$.id', '9999') WHERE local_id = 1")
            try #require(database.changesCount == 1)
        }
        try old.access.database.close()
        _ = try MessageManager.salvage(files.folder.path("old.sqlite"), to: files.export)
        let new = try files.empty()
        #expect(try files.read(into: new).dropped == 1)
        try Journal(new, Version1File.configuration).expectSound()
    }

    @Test("a file without a readable schema, or of another program, has no export")
    func hopeless() throws {
        let files = try ExportFiles()
        let path = try filled(files)
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        for index in 100..<4096 { data[index] = 0xA5 }
        try data.write(to: url)
        var error = #expect(throws: MessageBeastError.self) { _ = try MessageManager.salvage(path, to: files.export) }
        #expect(error?.kind == .damaged)
        let other = files.folder.path("other.sqlite")
        let queue = try DatabaseQueue(path: other)
        try queue.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        try queue.close()
        error = #expect(throws: MessageBeastError.self) { _ = try MessageManager.salvage(other, to: files.export) }
        #expect(error?.kind == .notADatabase)
        #expect(!FileManager.default.fileExists(atPath: files.export))
    }
}
