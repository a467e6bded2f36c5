import Foundation
import HeliumJSON
import JetstreamCore

/// A client with a session store in a file, which a test kills and starts again.
///
///     URL STORE UUID NUMBER
///
/// It sets `count` of the object UUID in the scope `Graph` to NUMBER, NUMBER + 1 … until it is killed. Each number is a
/// change set of its own. With NUMBER 0 it only settles what an earlier process had sent, and ends. It prints a line for each
/// change set: `begin 5` before it is made, `accepted 5` after its reply, `recovered 5` after the reply to one of an
/// earlier process.
enum JetstreamCrashClient {
    /// The most change sets that wait for their reply.
    private static let window = 4

    /// - Parameter arguments: The arguments after the subcommand.
    static func main(_ arguments: [String]) async -> Never {
        // A parent that is gone must not end it with an error of its own.
        signal(SIGPIPE, SIG_IGN)
        // Nor may it outlive one that was killed itself.
        alarm(120)
        do {
            try await run(arguments)
            exit(0)
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count == 4, let url = URL(string: arguments[0]), let uuid = UUID(uuidString: arguments[2]),
            let first = Int(arguments[3])
        else {
            say("failed the arguments are URL STORE UUID NUMBER")
            exit(2)
        }
        var options = JetstreamClientOptions()
        options.sessionStore = FileSessionStore(path: arguments[1])
        let client = try JetstreamClient(url: url, options: options)
        let events = client.sessionEvents
        let recovery = Task {
            for await event in events {
                guard case .recovered(let changes, let result) = event else { continue }
                report("recovered", number(of: changes), result)
            }
        }
        client.connect()
        let scope = client.mirror("Graph")
        // The state of a new session, which begins when the former one is settled.
        _ = try await scope.next()
        if first > 0 { try await count(from: first, of: uuid, in: scope) }
        await client.close()
        await recovery.value
        say("over")
    }

    /// Makes change sets, each after an earlier one has its reply.
    private static func count(from first: Int, of uuid: UUID, in scope: MirroredScope) async throws {
        var pending: [MirroredChanges: Int] = [:]
        var next = first
        while true {
            while pending.count < window {
                say("begin \(next)")
                let properties: JSONObject = ["count": .number(JSONNumber(next))]
                let fragment = SyncFragment(.change, uuid: uuid, className: "Node", properties: properties)
                pending[try scope.submit([fragment])] = next
                next += 1
            }
            guard let event = try await scope.next() else { return say("failed the client is closed") }
            guard case .settled(let changes, let result) = event else { continue }
            if let number = pending.removeValue(forKey: changes) { report("accepted", number, result) }
        }
    }

    private static func number(of changes: StoredChanges) -> Int {
        changes.fragments.first?.properties["count"]?.intValue ?? 0
    }

    private static func report(_ verb: String, _ number: Int, _ result: Result<[FragmentReply], JetstreamError>) {
        switch result {
        case .success(let replies) where replies.allSatisfy(\.isAccepted): say("\(verb) \(number)")
        case .success: say("failed \(number) is refused")
        case .failure(let error): say("failed \(number): \(error)")
        }
    }

    /// Writes a line in one piece: a process that is killed has written it, or has not.
    private static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}
