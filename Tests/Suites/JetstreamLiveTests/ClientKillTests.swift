import Foundation
import HeliumConcurrency
import HeliumJSON
import JetstreamHosting
import JetstreamSoak
import Synchronization
import TestSupport
import Testing

@Suite("A client that is killed (Docs/Protocols/Jetstream.md §7 no 6)")
struct ClientKillTests {
    private static let kills = ProofLength.count(8, full: 200)

    @Test(
        "after a kill, the next process settles what was sent, and the server applies each set once",
        .tags(.random),
        .timeLimit(.minutes(20))
    )
    func kills() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jetstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("session").path
        let ledger = Ledger()
        let journal = try await GraphServer.run(clients: 1) {
            $0.jetstream.authorization.write = { ledger.take($0) }
        } _: { _, url -> Journal in
            var journal = Journal()
            func run(_ number: Int, _ moment: KilledProcess.Moment) async throws -> KilledProcess {
                let arguments = [
                    "jetstream-client", url.absoluteString, store, GraphServer.id(1).uuidString, "\(number)",
                ]
                let client = BuiltProducts.executable("TestProcess")
                return try await KilledProcess.run(client, arguments, killed: moment, limit: .seconds(60))
            }
            var random = ProofLength.random(seed: 23)
            for life in 0..<Self.kills {
                let delay = Duration.milliseconds(random.below(200))
                // Every fourth may still settle what an earlier one had sent.
                let moment: KilledProcess.Moment =
                    life % 4 == 3 ? .afterStart(delay) : .after(delay, text: "accepted ")
                let process = try await run(journal.next, moment)
                #expect(process.wasKilled, "\(process.lines.suffix(3))")
                journal.read(process.lines)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // The last process settles everything, and leaves nothing to the next.
            let last = try await run(0, .never)
            journal.read(last.lines)
            #expect(last.lines.last == "over")
            #expect(try await run(0, .never).lines == ["over"])
            return journal
        }
        let applied = ledger.numbers
        #expect(journal.faults.isEmpty)
        // In the order of their creation, none twice, and none that no process made.
        #expect(applied == Set(applied).sorted())
        #expect(journal.begun.isSuperset(of: applied))
        // Each set with a reply is there, whether its own process or a later one got the reply.
        #expect(journal.accepted.isSubset(of: applied) && journal.accepted.count >= Self.kills / 2)
        #expect(journal.recovered.isSubset(of: applied) && !journal.recovered.isEmpty)
    }
}

/// The numbers that the server has applied.
private final class Ledger: Sendable {
    private let applied = Guarded<[Int]>([])

    var numbers: [Int] { applied.withLock { $0 } }

    func take(_ write: JetstreamWrite) {
        guard write.property == "count", let number = write.value.intValue else { return }
        applied.withLock { $0.append(number) }
    }
}

/// The numbers that the processes have reported.
private struct Journal {
    private(set) var begun: Set<Int> = []
    private(set) var accepted: Set<Int> = []
    private(set) var recovered: Set<Int> = []
    /// Lines that should not be there.
    private(set) var faults: [Substring] = []

    /// The first number that no process has used.
    var next: Int { (begun.max() ?? 0) + 1 }

    mutating func read(_ lines: [Substring]) {
        for line in lines where line != "over" {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else {
                faults.append(line)
                continue
            }
            switch words[0] {
            case "begin": begun.insert(number)
            case "accepted": accepted.insert(number)
            case "recovered": recovered.insert(number)
            default: faults.append(line)
            }
        }
    }
}
