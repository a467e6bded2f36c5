import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumDatabase
import HeliumFiles
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Export and import of a store", .timeLimit(.minutes(5)))
struct ExportTests {
    /// The tables that are not derived from messages, but for what an import changes.
    private func contents(_ database: BeastDatabase) throws -> [String: [String]] {
        try database.access.database.read { database in
            var contents = try Version1File.contents(database)
            for table in ["hashtag_instance", "annotation_instance", "location_instance", "geocode_queue", "outbox"] {
                contents[table] = nil
            }
            // The index of the old store may not be complete. An import makes its own.
            contents["meta"]?.removeAll { $0.contains("index_upgrade") }
            for table in ["retired_token", "deleted_id"] {
                contents[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.description)
            }
            contents["sequence"] = try Row.fetchAll(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'"
            ).map(\.description)
            return contents
        }
    }

    @Test("an import restores everything that was exported, also the bytes of files")
    func whole() throws {
        let files = try ExportFiles()
        let old = try files.filled()
        let counts = try files.write(old)
        #expect(counts[.message] == 10 && counts[.outbox] == 4 && counts[.pendingFile] == 2)
        let new = try files.empty()
        let result = try files.read(into: new)
        #expect(result.rows == counts && result.dropped == 0)
        #expect(try contents(new) == contents(old))
        for name in ["f-1", "f-2"] {
            let path = files.folder.path("new.sqlite-files/\(name)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == files.bytes(name, of: ""))
            #expect(try FileFacts(atPath: path).mode == 0o600)
        }
        try Journal(new, Version1File.configuration).expectSound()
        // Derived again: the index of text, hashtags.
        let journal = try Journal(new, Version1File.configuration)
        #expect(try journal.search("日本") == [3])
        #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, hashtag: "tag")) } == [1])
        for database in [old, new] { try database.access.database.close() }
    }

    @Test("an import has no claims, and looks for each claimed message before it sends it")
    func claims() throws {
        let files = try ExportFiles()
        try files.write(files.filled())
        let new = try files.empty()
        try files.read(into: new)
        let rows = try new.access.database.read {
            try Row.fetchAll(
                $0,
                sql: """
                    SELECT queue_seq, state, attempts, last_error_code, attempt_cursor, owner, depends_on_local_id FROM outbox
                    ORDER BY queue_seq
                    """
            ).map { row in row.map { $0.1.description }.joined(separator: " ") }
        }
        #expect(
            rows == [
                "11 \"sending\" 1 NULL 3 NULL NULL", "12 \"sending\" 0 NULL 3 NULL 6",
                "13 \"sending\" 2 \"timedOut\" 3 NULL NULL", "14 \"parked\" 8 \"restored:badRequest\" 3 NULL NULL",
            ]
        )
    }

    @Test("an export of an import equals the first export, except for the claims")
    func repeated() throws {
        let files = try ExportFiles()
        try files.write(files.filled())
        let before = try files.lines
        let new = try files.empty()
        try files.read(into: new)
        try files.write(new)
        let after = try files.lines
        func withoutOutbox(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix(#"{"outbox""#) } }
        #expect(withoutOutbox(after) == withoutOutbox(before))
        #expect(after.count == before.count)
    }

    @Test("columns that an export of an earlier schema lacks have their defaults")
    func earlierSchema() throws {
        let files = try ExportFiles()
        let old = try files.filled()
        try files.write(old)
        let lines = try files.lines
        let earlier = lines.map { $0.replacing(#","is_referred":0"#, with: "") }
        try #require(zip(lines, earlier).count { $0 != $1 } == 2)
        try files.replace(with: earlier)
        let new = try files.empty()
        try files.read(into: new)
        #expect(try contents(new) == contents(old))
    }

    @Test("an export is readable for its owner only, has a document on each line, and replaces a file when complete")
    func file() throws {
        let files = try ExportFiles()
        try Data("old".utf8).write(to: URL(fileURLWithPath: files.export))
        try FileFacts.setMode(0o644, atPath: files.export)
        try files.write(files.filled())
        #expect(try FileFacts(atPath: files.export).mode == 0o600)
        let folder = URL(fileURLWithPath: files.export).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("temporary") } == [])
        let lines = try files.lines
        for line in lines {
            let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(document?.count == 1)
        }
        #expect(lines.first?.hasPrefix(#"{"messagebeast":{"version":1,"account":"1""#) == true)
        #expect(lines.last == #"{"end":{"lines":\#(lines.count - 1)}}"#)
        // Messages are documents in the document, not texts of documents.
        #expect(lines.contains { $0.contains(#""json":{"#) && $0.contains(#""text":"First #Tag""#) })
    }

    @Test("an export does not replace the database, and needs a regular file")
    func targets() async throws {
        let files = try ExportFiles()
        let world = try await BeastWorld()
        let path = files.folder.path("beast.sqlite")
        let manager = try world.manager(.file(path))
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let cases: [(String, MessageBeastError.Kind)] = [
            (path, .invalidArgument), (path + "-wal", .invalidArgument), ("/dev/null", .invalidArgument),
            (folder, .fileFailed), (folder + "/none/export", .fileFailed),
        ]
        for (target, kind) in cases {
            let error = await #expect(throws: MessageBeastError.self) { try await manager.export(to: target) }
            #expect(error?.kind == kind, "\(target)")
        }
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("an export names its temporary file before it is created, and leaves none")
    func temporaryFile() async throws {
        let files = try ExportFiles()
        let world = try await BeastWorld()
        let manager = try world.manager(.file(files.folder.path("beast.sqlite")))
        let named = Guarded<[String]>([])
        _ = try await manager.export(to: files.export) { path in
            #expect(!FileManager.default.fileExists(atPath: path))
            named.withLock { $0.append(path) }
        }
        let paths = named.withLock { $0 }
        #expect(paths.count == 1 && paths.allSatisfy { $0.hasPrefix(files.export + ".") }, "\(paths)")
        #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(FileManager.default.fileExists(atPath: files.export))
        await manager.stop()
    }

    // MARK: Broken files

    /// A change of an export that breaks it, and the number of the line that is named.
    struct Fault: Sendable, CustomStringConvertible {
        let description: String
        let line: @Sendable ([String]) -> Int
        let change: @Sendable (inout [String], Int) -> Void

        /// Changes the first line of a table.
        init(_ description: String, _ table: String, _ change: @escaping @Sendable (String) -> String) {
            self.description = description
            line = { $0.firstIndex { $0.hasPrefix("{\"\(table)\"") } ?? 0 }
            self.change = { lines, index in lines[index] = change(lines[index]) }
        }

        init(
            _ description: String,
            at line: @escaping @Sendable ([String]) -> Int,
            _ change: @escaping @Sendable (inout [String], Int) -> Void
        ) {
            self.description = description
            self.line = line
            self.change = change
        }

        /// The index of the line after the bytes of the first file.
        private static func afterFirstFile(_ lines: [String]) -> Int {
            let first = lines.firstIndex { $0.hasPrefix("{\"staged_bytes\"") } ?? 0
            return lines[first...].firstIndex { !$0.hasPrefix("{\"staged_bytes\"") } ?? 0
        }

        static let all = [
            Fault("no JSON", "message") { String($0.dropLast()) }, Fault("a text", "message") { _ in #""text""# },
            Fault("an empty line", "message") { _ in " " },
            Fault("two members", "message") { "{\"a\":1," + $0.dropFirst() },
            Fault("an unknown table", "channel") { $0.replacing(#"{"channel""#, with: #"{"chanel""#) },
            Fault("an unknown column", "place") { $0.replacing(#""is_custom":"#, with: #""custom":1,"is_custom":"#) },
            Fault("an owner", "outbox") { $0.replacing(#""state":"#, with: #""owner":"a","state":"#) },
            Fault("a text as number", "message") { $0.replacing(#""sort_key":1"#, with: #""sort_key":"1""#) },
            Fault("the document of another message", "message") {
                $0.replacing(#""json":{"id":"1""#, with: #""json":{"id":"1,""#)
            },
            Fault("a number as text", "message") { $0.replacing(#""id":"1""#, with: #""id":1"#) },
            Fault("a fraction", "message") { $0.replacing(#""sort_key":1"#, with: #""sort_key":1.5"#) },
            Fault("a number that no counter can follow", "outbox") {
                $0.replacing(#""queue_seq":11"#, with: #""queue_seq":9223372036854775807"#)
            },
            Fault("U+0000", "place") { $0.replacing(#""name":"Home","lat"#, with: #""name":"Ho\u0000me","lat"#) },
            Fault("an invalid state", "outbox") { $0.replacing(#""state":"sending""#, with: #""state":"sent""#) },
            Fault("a missing column", "place") { $0.replacing(#""is_custom":1,"#, with: "") },
            Fault("a path", "pending_file") { $0.replacing(#""staged_path":"f-1""#, with: #""staged_path":"../f-1""#) },
            Fault("a fact about the database", "meta") {
                $0.replacing(#""key":"service_configuration""#, with: #""key":"account_id""#)
            },
            Fault("no Base64", "staged_bytes") { $0.replacing(#""base64":""#, with: #""base64":"?"#) },
            Fault("bytes of no file", "staged_bytes") { $0.replacing(#"":"f-1""#, with: #"":"f-9""#) },
            Fault("more bytes", at: { Fault.afterFirstFile($0) }) { lines, index in
                lines[index - 1] = lines[index - 1].replacing(#""base64":""#, with: #""base64":"AAAA"#)
            },
            // The row of the next file is one line earlier.
            Fault("a missing part of a file", at: { Fault.afterFirstFile($0) - 1 }) { lines, index in
                lines.remove(at: index - 1)
            },
            Fault("parts of a file in another order", at: { Fault.afterFirstFile($0) }) { lines, index in
                lines.swapAt(index - 1, index - 2)
            },
            Fault("a line twice", at: { $0.firstIndex { $0.hasPrefix("{\"message\"") }.map { $0 + 1 } ?? 0 }) {
                lines,
                index in
                lines.insert(lines[index - 1], at: index)
            },
            Fault("another beginning", at: { _ in 3 }) { lines, index in lines.insert(lines[0], at: index) },
            Fault("a missing line", at: { $0.count - 2 }) { lines, _ in lines.remove(at: 2) },
            Fault("a line after the end", at: { $0.count }) { lines, _ in lines.append(lines[1]) },
            Fault("another version", at: { _ in 0 }) { lines, _ in
                lines[0] = lines[0].replacing(#""version":1"#, with: #""version":2"#)
            },
            Fault("no beginning", at: { _ in 0 }) { lines, _ in lines.removeFirst() },
        ]
    }

    /// The lines of an export with something in every table.
    private static let exportedLines = Result {
        let files = try ExportFiles()
        let database = try files.filled()
        try files.write(database)
        try database.access.database.close()
        return try files.lines
    }

    @Test("an invalid line of an export is an error with its number, and nothing is imported", arguments: Fault.all)
    func broken(fault: Fault) throws {
        let files = try ExportFiles()
        var lines = try Self.exportedLines.get()
        let before = lines
        let index = fault.line(lines)
        fault.change(&lines, index)
        try #require(lines != before)
        try files.replace(with: lines)
        let new = try files.empty()
        let error = #expect(throws: MessageBeastError.self) { try files.read(into: new) }
        #expect(error?.kind == .invalidImport)
        #expect(error?.message.hasPrefix("line \(index + 1) ") == true, "\(String(describing: error))")
        try expectEmpty(new, files)
    }

    @Test("bytes that are not those of their row are not exported, and the rest can be imported")
    func changedBytes() throws {
        let files = try ExportFiles()
        let old = try files.filled()
        let path = files.folder.path("old.sqlite-files/f-1")
        try (files.bytes("f-1", of: "") + [0]).write(to: URL(fileURLWithPath: path))
        let counts = try files.write(old)
        #expect(try !files.lines.contains { $0.hasPrefix("{\"staged_bytes\"") && $0.contains(#""f-1""#) })
        let new = try files.empty()
        #expect(try files.read(into: new).rows == counts)
        let staged = try FileManager.default.contentsOfDirectory(atPath: files.folder.path("new.sqlite-files"))
        #expect(staged == ["f-2"])
        for database in [old, new] { try database.access.database.close() }
    }

    private func expectEmpty(_ database: BeastDatabase, _ files: ExportFiles) throws {
        for table in StoreWipe.tables {
            #expect(
                try database.access.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0
            )
        }
        let staged = try? FileManager.default.contentsOfDirectory(atPath: files.folder.path("new.sqlite-files"))
        #expect((staged ?? []) == [])
    }

    @Test("an export that ends too early, or lacks rows that others refer to, is an error")
    func incomplete() throws {
        let files = try ExportFiles()
        try files.write(files.filled())
        let lines = try files.lines
        try files.replace(with: Array(lines.dropLast()))
        let new = try files.empty()
        var error = #expect(throws: MessageBeastError.self) { try files.read(into: new) }
        #expect(error?.message == "the file ends after line \(lines.count - 1), and is not complete")
        // The channel of the messages.
        var orphans = lines.filter { !$0.hasPrefix(#"{"channel":{"id":"100""#) }
        orphans[orphans.count - 1] = #"{"end":{"lines":\#(orphans.count - 1)}}"#
        try files.replace(with: orphans)
        error = #expect(throws: MessageBeastError.self) { try files.read(into: new) }
        #expect(error?.kind == .invalidImport)
        #expect(error?.message.contains("a missing line of channel") == true)
        try expectEmpty(new, files)
    }

    @Test("an import needs an empty store of the same account")
    func refused() throws {
        let files = try ExportFiles()
        let old = try files.filled()
        try files.write(old)
        var error = #expect(throws: MessageBeastError.self) { try files.read(into: old) }
        #expect(error?.kind == .notEmpty)
        let other = try files.empty("other.sqlite", account: "2")
        error = #expect(throws: MessageBeastError.self) { try files.read(into: other) }
        #expect(error?.kind == .otherAccount)
        #expect(try MessageManager.account(ofExport: files.export) == 1)
    }

    @Test(
        "lines of an export up to the length limit are imported",
        arguments: [0, 1, 262_143, 262_144, 262_145, 600_000]
    )
    func lines(count: Int) throws {
        let files = try ExportFiles()
        let long = String(repeating: "a", count: count)
        try "first\n\(long)\nlast".write(toFile: files.export, atomically: false, encoding: .utf8)
        let reader = try LineFileReader(files.export, maximum: 700_000)
        var read: [String] = []
        while let line = try reader.next() { read.append(String(decoding: line, as: UTF8.self)) }
        #expect(read == ["first", long, "last"])
        #expect(reader.number == 3)
        guard count > 300_000 else { return }
        let limited = try LineFileReader(files.export, maximum: 1000)
        let error = #expect(throws: MessageBeastError.self) { while try limited.next() != nil {} }
        #expect(error?.message == "line 2 is longer than 1000 bytes")
    }
}
