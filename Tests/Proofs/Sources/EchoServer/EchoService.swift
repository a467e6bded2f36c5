import GRDB
import HTTPTypes

@testable import HeliumCrypto
@testable import HeliumDatabase
@testable import HeliumServerKit

/// A protocol of the embedded server that repeats each request: lines of method, target, SHA-256 of the body, and the
/// fields that begin with `x-`, sorted by their names.
struct EchoService: ServerProtocol {
    struct Configuration: ServerProtocolConfiguration {
        init() {}
        func validate(limits: ServerLimits) throws(EmbeddedServerError) {}
    }

    struct Control: Sendable {}

    struct Information: ReadyMember {
        var description: String { "echo" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    static let name = "echo"
    static var migrator: DatabaseMigrator { DatabaseMigrator() }
    static var storedTables: [StoredTable] { [] }

    let control = Control()

    init(_ configuration: Configuration, _ environment: ServerEnvironment) throws {}

    func start(at address: ServerAddress) -> Information? { Information() }
    func handles(_ path: Substring) -> Bool { true }

    func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        ServerReply(status: .contentTooLarge, body: Array("\(refusal)".utf8))
    }

    func respond(to request: ServerRequest) async -> ServerReply {
        let digest = SHA256.hash(request.body).withUnsafeBytes {
            $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        var body = Array("\(request.method.rawValue)\n\(request.target)\n\(digest)\n".utf8)
        let fields = request.fields.map { (name: Array($0.name.rawName.lowercased().utf8), field: $0) }
        let echoed = fields.enumerated().filter { $0.element.name.starts(with: "x-".utf8) }.sorted { a, b in
            let (first, second) = (a.element.name, b.element.name)
            return first == second ? a.offset < b.offset : first.lexicographicallyPrecedes(second)
        }
        for (_, (name, field)) in echoed {
            body += name + Array(": ".utf8) + field.withUnsafeBytesOfValue { Array($0) } + [0x0A]
        }
        return ServerReply(status: .ok, body: body)
    }
}
