import Foundation
import HeliumKit
import HeliumWebSocket

/// Autobahn's suite of test cases for WebSocket clients, which `wstest -m fuzzingserver` runs and judges.
///
/// The client echoes the messages of each case. The server compares what it sent, received, and how the connection ended, with
/// what RFC 6455 requires.
struct AutobahnSuite {
    private static let agent = "Helium"
    /// The longest time for a case. The server ends most after seconds, and those with large messages after a minute.
    private static let caseLimit = Duration.seconds(180)

    /// The URL of the server.
    private let url: String
    /// The file in which the server writes its verdicts.
    private let report: URL

    /// Creates the suite that the environment names: `INTEROP_AUTOBAHN_URL` and `INTEROP_AUTOBAHN_REPORT`. Returns `nil` if it
    /// names none.
    init?(environment: [String: String]) {
        guard let url = environment["INTEROP_AUTOBAHN_URL"], let report = environment["INTEROP_AUTOBAHN_REPORT"] else {
            return nil
        }
        self.url = url
        self.report = URL(fileURLWithPath: report)
    }

    /// Runs all cases and prints those that the server does not accept.
    ///
    /// - Returns: Whether the server accepts all.
    func run() async throws -> Bool {
        guard let count = Int(try await answer("/getCaseCount")), count > 0 else {
            throw Disagreement("the server has no cases")
        }
        say("interop: autobahn: \(count) cases")
        var ends: [String] = []
        for number in 1...count {
            do {
                try await within(Self.caseLimit) { try await play(number) }
            } catch {
                ends.append("DISAGREES: case number \(number) does not end: \(error)")
            }
            if number % 50 == 0 { say("interop: autobahn: \(number) of \(count)") }
        }
        _ = try await answer("/updateReports?agent=\(Self.agent)")
        let verdicts = try verdicts()
        var wrong = ends + verdicts.compactMap(\.disagreement)
        if verdicts.count != count { wrong.append("DISAGREES: \(verdicts.count) of \(count) cases have a verdict") }
        for text in wrong { say("interop: autobahn: \(text)") }
        let totals = Dictionary(verdicts.map { ($0.behavior, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
        say(
            "interop: autobahn: \(count) cases, \(totals.map { "\($0.value) \($0.key)" }.joined(separator: ", ")),",
            "\(wrong.count) disagreements"
        )
        return wrong.isEmpty
    }

    /// Echoes all messages of a case, and waits until the server has judged it.
    private func play(_ number: Int) async throws {
        let parameters = "case=\(number)&agent=\(Self.agent)"
        do {
            let socket = try await connect("/runCase?\(parameters)")
            do {
                for try await message in socket.messages { try await socket.send(message) }
            } catch is HeliumError {
                // In many cases the server violates the protocol on purpose, and judges how the connection ends.
            }
            await socket.close()
        }
        _ = try await answer("/getCaseStatus?\(parameters)")
    }

    /// Returns the text that the server sends to a command, which is empty if it sends none.
    private func answer(_ command: String) async throws -> String {
        let socket = try await connect(command)
        var text = ""
        for try await message in socket.messages { text += message.text ?? "" }
        await socket.close()
        return text
    }

    private func connect(_ command: String) async throws -> WebSocket {
        guard let url = URL(string: url + command) else { throw Disagreement("\(url)\(command) is no URL") }
        var options = WebSocketOptions()
        // The longest message has 16 MiB. No case expects a ping that it did not ask for.
        options.limits.frameBytes = 32 << 20
        options.limits.messageBytes = 32 << 20
        options.timeouts.pingInterval = nil
        // The server accepts the request for reports when it has written them.
        options.timeouts.connect = Self.caseLimit
        options.timeouts.silence = Self.caseLimit
        return try await WebSocket.connect(to: url, options: options)
    }

    private func verdicts() throws -> [AutobahnVerdict] {
        struct Entry: Decodable { let behavior: String, behaviorClose: String }
        let agents = try JSONDecoder().decode([String: [String: Entry]].self, from: Data(contentsOf: report))
        return (agents[Self.agent] ?? [:])
            .map { AutobahnVerdict(name: $0, behavior: $1.behavior, closing: $1.behaviorClose) }
            .sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    }
}

/// The server's verdict on a case.
struct AutobahnVerdict {
    /// A behaviour that RFC 6455 allows. The suite has cases of which it only records the outcome.
    private static let accepted: Set<String> = ["OK", "NON-STRICT", "INFORMATIONAL"]

    /// The number of the case, for example 6.4.2.
    let name: String
    /// The verdict on the messages.
    let behavior: String
    /// The verdict on the end of the connection.
    let closing: String

    /// The reason why the case counts as failed; `nil` if it does not.
    var disagreement: String? {
        if behavior == "UNIMPLEMENTED", isCompression { return nil }
        guard !Self.accepted.contains(behavior) || !Self.accepted.contains(closing) else { return nil }
        return "DISAGREES: case \(name): messages \(behavior), end of the connection \(closing)"
    }

    /// Whether it is a case of permessage-deflate (RFC 7692), which the client does not offer.
    private var isCompression: Bool { name.hasPrefix("12.") || name.hasPrefix("13.") }
}
