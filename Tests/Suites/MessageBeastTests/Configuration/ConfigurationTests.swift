import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("A changed configuration")
struct ConfigurationTests {
    /// Runs the derivation as an engine that starts does.
    private func derive(_ journal: Journal, count: Int = 500) throws -> Int {
        let derivation = Rederivation(configuration: journal.configuration, now: journal.now)
        var steps = 0
        while try journal.writer.write({ try derivation.step(in: $0, count: count) }) { steps += 1 }
        return steps
    }

    @Test("the configuration of the documentation derives hashtags, annotations and display dates")
    func sample() {
        // sample
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        configuration.annotationTypes = ["net.app.core.oembed"]
        configuration.dateAdapter = .ohaiDisplayDate
        // end of sample
        #expect(configuration.fingerprint != MessageManagerConfiguration().fingerprint)
    }

    @Test("an adapter of the app and the built-in one with the same version have different fingerprints")
    func adapters() {
        var (own, builtIn) = (MessageManagerConfiguration(), MessageManagerConfiguration())
        own.dateAdapter = MessageManagerConfiguration.DateAdapter(version: 1) { $0.createdAt }
        builtIn.dateAdapter = .ohaiDisplayDate
        #expect(own.fingerprint != builtIn.fingerprint)
    }

    @Test(
        "different sets of annotation types have different fingerprints",
        arguments: [(["a,b"], ["a", "b"]), (["a%44.b"], ["a,b"]), (["\u{E9}"], ["e\u{301}"]), (["a;b"], ["a", "b"])]
            as [(Set<String>, Set<String>)]
    )
    func typeSets(_ left: Set<String>, _ right: Set<String>) {
        func fingerprint(_ types: Set<String>) -> [UInt8] {
            var configuration = MessageManagerConfiguration()
            configuration.annotationTypes = types
            return Array(configuration.fingerprint.utf8)
        }
        #expect(fingerprint(left) != fingerprint(right))
    }

    @Test("a changed configuration has another fingerprint")
    func fingerprint() {
        var configuration = MessageManagerConfiguration()
        var prints: Set<String> = [configuration.fingerprint]
        configuration.isHashtagExtractionEnabled = true
        prints.insert(configuration.fingerprint)
        configuration.isLocationLookupEnabled = true
        prints.insert(configuration.fingerprint)
        configuration.annotationTypes = ["a", "b"]
        prints.insert(configuration.fingerprint)
        configuration.dateAdapter = .init(version: 1) { _ in nil }
        prints.insert(configuration.fingerprint)
        configuration.dateAdapter = .init(version: 2) { _ in nil }
        prints.insert(configuration.fingerprint)
        #expect(prints.count == 6)
        configuration.annotationTypes = ["b", "a"]
        #expect(prints.contains(configuration.fingerprint))
    }

    @Test("old messages are found by an annotation type that is registered later", .behaviour(115))
    func newType() throws {
        var journal = try Journal { $0 = MessageManagerConfiguration() }
        let mood = Annotation(type: "net.example.mood", value: ["level": 1])
        try journal.store((1...25).reversed().map { Journal.message($0, "#tag", annotations: [mood]) })
        try journal.insertUnsent("draft", "draft", kind: "draft")
        journal.configuration.annotationTypes = [mood.type]
        journal.configuration.isHashtagExtractionEnabled = true
        #expect(try derive(journal, count: 10) == 2)
        let found = try journal.read { try $0.messages(in: Journal.channel, annotationType: mood.type) }
        #expect(journal.ids(found) == (1...25).reversed())
        #expect(try journal.read { try $0.messages(in: Journal.channel, hashtag: "tag").count } == 25)
        journal.configuration.isHashtagExtractionEnabled = false
        _ = try derive(journal)
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [0])
        try journal.expectSound()
    }

    @Test("a new adapter computes display dates once, also in a file that is opened again", .behaviour(39))
    func newAdapter() throws {
        try withTemporaryFile { path in
            let first = try Journal(BeastDatabase.open(path, account: "1"), MessageManagerConfiguration())
            try first.store((1...25).reversed().map { Journal.message($0) })
            try first.writer.close()
            let calls = Counter()
            var configuration = MessageManagerConfiguration()
            configuration.dateAdapter = .init(version: 2) { message in
                calls.increment()
                return message.createdAt?.addingTimeInterval(-1000)
            }
            // Making a journal takes the first step.
            let journal = try Journal(BeastDatabase.open(path, account: "1"), configuration)
            #expect(try derive(journal) == 0)
            let date = Journal.start.addingTimeInterval(3 - 1000)
            #expect(try journal.read { try $0.message(id: 3)?.displayDate } == date)
            #expect(calls.count == 25)
            let changes = try journal.writer.write { $0.totalChangesCount }
            #expect(try derive(journal) == 0)
            #expect(try journal.writer.write { $0.totalChangesCount } == changes)
            try journal.writer.close()
            let again = try Journal(BeastDatabase.open(path, account: "1"), configuration)
            #expect(try derive(again) == 0 && calls.count == 25)
            try again.writer.close()
        }
    }

    @Test("a configuration that is changed back while rows are derived again restores them")
    func backAgain() throws {
        var journal = try Journal()
        try journal.store((1...30).reversed().map { Journal.message($0, "#tag") })
        journal.configuration.isHashtagExtractionEnabled = false
        let other = Rederivation(configuration: journal.configuration, now: journal.now)
        #expect(try journal.writer.write { try other.step(in: $0, count: 10) })
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [20])
        journal.configuration.isHashtagExtractionEnabled = true
        _ = try derive(journal, count: 10)
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [30])
    }

    @Test("a date or a precision that the database cannot hold does not trap")
    func extremes() {
        #expect(Milliseconds(Date(timeIntervalSince1970: .nan)).value == 0)
        #expect(Milliseconds(Date(timeIntervalSince1970: .infinity)).value == 1_000_000_000_000_000)
        #expect(Coordinates.key(37, unit: 1e-18) == 1_000_000_000_000_000_000)
    }

    @Test("deriving again continues after an interruption, and restarts after another change")
    func interrupted() throws {
        var journal = try Journal { $0 = MessageManagerConfiguration() }
        try journal.store((1...30).reversed().map { Journal.message($0, "#tag") })
        journal.configuration.isHashtagExtractionEnabled = true
        let derivation = Rederivation(configuration: journal.configuration, now: journal.now)
        #expect(try journal.writer.write { try derivation.step(in: $0, count: 10) })
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [10])
        #expect(try derive(journal, count: 10) == 2)
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [30])
        journal.configuration.isHashtagExtractionEnabled = false
        let other = Rederivation(configuration: journal.configuration, now: journal.now)
        #expect(try journal.writer.write { try other.step(in: $0, count: 10) })
        journal.configuration.annotationTypes = ["a"]
        #expect(try derive(journal, count: 10) == 3)
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [0])
    }
}
