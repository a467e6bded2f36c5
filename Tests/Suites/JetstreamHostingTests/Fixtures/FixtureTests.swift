import Foundation
import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Exchanges of Fixtures/jetstream, by the server")
struct FixtureTests {
    private static let documents = SharedDocuments.fixtures("jetstream").filter { $0.name.hasSuffix(".json") }

    @Test("There are exchanges in Fixtures/jetstream")
    func exist() { #expect(Self.documents.count >= 5) }

    @Test("The server sends its side of an exchange", arguments: documents)
    func exchange(_ document: SharedDocuments.Document) throws {
        let fixture = try JSONValue(parsing: document.contents)
        var server = try TestEngine(try ScopeFile(fixture["scopeFile"] ?? .null))
        var tokens: [Int: JSONValue] = [:]
        /// The socket of each client, which is another after a cut.
        var sockets: [Int: Int] = [:]
        var lastSocket = 0
        for (number, step) in (fixture["steps"]?.arrayValue ?? []).enumerated() {
            let client = step["client"]?.intValue ?? 0
            let socket = sockets[client] ?? 0
            if case .object(var parameters)? = step["opens"] {
                if parameters["sessiontoken"] == "TOKEN" { parameters["sessiontoken"] = tokens[client] }
                lastSocket += 1
                sockets[client] = lastSocket
                server.open(lastSocket, parameters)
            } else if let frame = step["sends"] {
                server.send(socket, frame.text())
            } else if case .array(let expected)? = step["receives"] {
                let messages = server.take(socket)
                if let token = messages.first?["sessionToken"] { tokens[client] = token }
                #expect(Self.masked(.array(messages)) == Self.masked(.array(expected)), "step \(number)")
            } else if let closing = step["closed"] {
                #expect(server.closes[socket].map { Int($0.code) } == closing["code"]?.intValue, "step \(number)")
                #expect(server.closes[socket]?.type == closing["type"]?.stringValue, "step \(number)")
            } else {
                #expect(step["cut"] == true, "step \(number) is unknown")
                server.handle(.closed(socket))
            }
        }
        for socket in sockets.values { #expect(server.take(socket).isEmpty) }
    }

    /// Texts that are the server's own choice: tokens and messages of errors.
    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(masked))
        case .object(var object):
            for (name, member) in object { object[name] = masked(member) }
            if object["sessionToken"] != nil { object["sessionToken"] = "TOKEN" }
            if let error = object["error"], error["message"]?.stringValue?.isEmpty == false {
                var error = error
                error["message"] = "ANY"
                object["error"] = error
            }
            return .object(object)
        default: return value
        }
    }
}
