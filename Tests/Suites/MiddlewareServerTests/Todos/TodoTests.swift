import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Todos and responses of the middleware server", .timeLimit(.minutes(5)))
struct TodoTests {
    private static let todo = "/demo-auth/v1/todo"

    /// Runs `body` with a server and a registered device.
    private func withDevice(
        _ configuration: EmbeddedServerConfiguration = EmbeddedServerConfiguration(),
        _ body: (Peer, String) async throws -> Void
    ) async throws {
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            try await body(peer, try await peer.register())
        }
    }

    private func create(_ peer: Peer, _ device: String, _ json: String) async throws -> String {
        let answer = try await peer.signed("POST", Self.todo, device: device, json: json)
        guard case .string(let id) = answer.json?["response"]?["id"] else {
            throw RawConnection.Failure.malformed(answer.text)
        }
        return id
    }

    private func names(_ answer: RawAnswer) -> [String] {
        guard case .array(let todos) = answer.json?["response"] else { return [] }
        return todos.compactMap { if case .string(let name) = $0["name"] { name } else { nil } }
    }

    @Test("a todo is created, and read and listed with its members")
    func creation() async throws {
        try await withDevice { peer, device in
            let id = try await create(peer, device, #"{"name":"Buy \"Milk\" 🥛","status":"unchecked"}"#)
            #expect(id.wholeMatch(of: /[0-9a-f]{24}/) != nil)
            let read = try await peer.signed("GET", "\(Self.todo)/\(id)", device: device)
            guard case .array(let elements) = read.json?["response"], let todo = elements.first else {
                Issue.record("no array: \(read.text)")
                return
            }
            #expect(elements.count == 1)
            #expect(todo["_id"] == .string(id))
            #expect(todo["name"] == "Buy \"Milk\" 🥛")
            #expect(todo["status"] == "unchecked")
            #expect(todo["group"] == "demo")
            guard case .string(let created) = todo["created"] else {
                Issue.record("no date")
                return
            }
            #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            #expect(try await names(peer.signed("GET", Self.todo, device: device)) == ["Buy \"Milk\" 🥛"])
        }
    }

    @Test("a todo is changed by PUT, and its status is stored in lower case")
    func change() async throws {
        try await withDevice { peer, device in
            let id = try await create(peer, device, #"{"name":"Milk","status":"unchecked"}"#)
            let one = "\(Self.todo)/\(id)"
            let changed = try await peer.signed("PUT", one, device: device, json: #"{"status":"Checked"}"#)
            #expect(changed.text == #"{"status":200}"#)
            let again = try await peer.signed("GET", one, device: device)
            #expect(again.text.contains(#""status":"checked""#))
        }
    }

    @Test("a deleted todo is an empty list, and cannot be deleted or changed again")
    func deletion() async throws {
        try await withDevice { peer, device in
            let id = try await create(peer, device, #"{"name":"Milk","status":"unchecked"}"#)
            let one = "\(Self.todo)/\(id)"
            #expect(try await peer.signed("DELETE", one, device: device).text == #"{"status":200}"#)
            let absent = try await peer.signed("GET", one, device: device)
            #expect(absent.status == 200)
            #expect(absent.text == #"{"status":200,"response":[]}"#)
            let twice = try await peer.signed("DELETE", one, device: device)
            #expect(twice.status == 404)
            #expect(twice.codes == ["NothingToRemove"])
            #expect(try await peer.signed("PUT", one, device: device, json: #"{"name":"x"}"#).status == 404)
        }
    }

    @Test("a todo with U+0000, which SQLite would cut, is refused")
    func nullCharacter() async throws {
        try await withDevice { peer, device in
            for body in [#"{"name":"a\u0000b"}"#, #"{"name":"a","group":"b\u0000"}"#] {
                let answer = try await peer.signed("POST", Self.todo, device: device, json: body)
                #expect(answer.status == 400 && answer.codes == ["PatternMismatch"], "\(answer.text)")
            }
            let list = try await peer.signed("GET", Self.todo, device: device)
            #expect(list.text == #"{"status":200,"response":[]}"#)
        }
    }

    @Test("a path whose escapes are not UTF-8 is a bad request")
    func malformedEscapes() async throws {
        try await withDevice { peer, device in
            for escape in ["%ff", "%zz", "%c3"] {
                let answer = try await peer.signed("GET", "\(Self.todo)/\(escape)", device: device)
                #expect(answer.status == 400, "\(escape): \(answer.text)")
            }
        }
    }

    @Test("an absolute request target is signed as it is sent, and has the same route")
    func absoluteTarget() async throws {
        try await withDevice { peer, device in
            let target = "http://\(peer.host)\(Self.todo)?limit=1"
            let answer = try await peer.signed("GET", target, device: device)
            #expect(answer.status == 200, "\(answer.text)")
            let fields = [("key", peer.key("GET", "http://example.com\(Self.todo)?limit=1", device: device))]
            #expect(try await peer.send("GET", target, fields: fields).codes == ["KeyInvalid"])
            #expect(try await peer.signed("GET", "http://\(peer.host)", device: device).status == 404)
        }
    }

    @Test("a todo's empty name counts as missing, and a status that is a number is kept")
    func lenientValues() async throws {
        try await withDevice { peer, device in
            let nameless = try await peer.signed("POST", Self.todo, device: device, json: #"{"name":""}"#)
            #expect(nameless.status == 400 && nameless.codes == ["MissingRequiredParameter"], "\(nameless.text)")
            let made = try await peer.signed("POST", Self.todo, device: device, json: #"{"name":"a","status":1}"#)
            #expect(made.status == 200, "\(made.text)")
            let list = try await peer.signed("GET", Self.todo, device: device)
            #expect(list.text.contains(#""status":"1""#), "\(list.text)")
        }
    }

    @Test("a malformed id of a todo is 500 with an empty error, as by the original server")
    func malformedIdentifier() async throws {
        try await withDevice { peer, device in
            let answer = try await peer.signed("GET", "\(Self.todo)/a%20b%2Fc%C3%A9", device: device)
            #expect(answer.text == #"{"status":500,"errors":[{}]}"#)
            #expect(answer["timestamp"] != nil)
        }
    }

    @Test("a list has 25 todos unless limit and skip say otherwise, and is always in ascending order")
    func pages() async throws {
        try await withDevice { peer, device in
            for number in 0..<30 {
                _ = try await create(peer, device, #"{"name":"n\#(String(format: "%02d", (number * 7) % 30))"}"#)
            }
            func list(_ query: String) async throws -> [String] {
                try await names(peer.signed("GET", Self.todo + query, device: device))
            }
            #expect(try await list("").count == 25)
            #expect(try await list("").first == "n00")
            #expect(try await list("?limit=2&skip=1") == ["n07", "n14"])
            #expect(try await list("?limit=3&sort=name") == ["n00", "n01", "n02"])
            #expect(try await list("?limit=3&sort=name&ascending=false") == ["n00", "n01", "n02"])
            #expect(try await list("?skip=29&sort=name") == ["n29"])
            #expect(try await list("?skip=99999999999999999999") == [])
            #expect(try await list("?limit=2&sort=nonsense") == ["n00", "n07"])
            #expect(try await list("?limit=-2") == ["n00", "n07"])
            #expect(try await list("?limit=1&skip=-1") == ["n00"])
            #expect(try await list("?limit=&skip=").count == 25)
            #expect(try await list("?limit=-9223372036854775808").count == 30)
        }
    }

    @Test(
        "a query parameter of a wrong type is refused",
        arguments: [
            ("limit=ten", "UnexpectedType", "limit is unexpected type. string given number expected"),
            ("limit=1&limit=2", "UnexpectedType", "limit is unexpected type. array given number expected"),
            ("ascending=maybe", "UnexpectedType", "ascending is unexpected type. string given boolean expected"),
            ("selection=%7Bname", "PatternMismatch", "selection value does not match the required pattern"),
        ]
    )
    func refusesQuery(_ query: String, _ code: String, _ message: String) async throws {
        try await withDevice { peer, device in
            let answer = try await peer.signed("GET", "\(Self.todo)?\(query)", device: device)
            #expect(answer.status == 400)
            #expect(answer.codes == [code])
            #expect(answer.text.contains(message))
            #expect(answer.text.contains(#""in":"query""#))
        }
    }

    @Test("an unsigned request with invalid parameters has errors of the key and of the parameters")
    func listsKeyAndBody() async throws {
        try await withDevice { peer, _ in
            let answer = try await peer.post(Self.todo, #"{"status":"done"}"#)
            #expect(answer.status == 400)
            #expect(answer.codes == ["MissingRequiredParameter", "MissingRequiredParameter", "ValueNotAllowed"])
            #expect(answer.text.contains("key is required but invalid value or no value given"))
        }
    }

    @Test(
        "the other headers of a signed request are checked too",
        arguments: [
            ("signaturemethod", "md5", "ValueNotAllowed"), ("requestdate", "yesterday", "UnexpectedType"),
            ("signaturemethod", "SHA256", ""), ("requestdate", "2016-02-12T08:00:07Z", ""),
            ("requestdate", "Fri, 12 Feb 2016 08:00:07 GMT", ""),
        ]
    )
    func checksHeaders(_ name: String, _ value: String, _ code: String) async throws {
        try await withDevice { peer, device in
            let answer = try await peer.signed("GET", Self.todo, device: device, fields: [(name, value)])
            #expect(answer.codes == (code.isEmpty ? [] : [code]))
            #expect(answer.status == (code.isEmpty ? 200 : 400))
        }
    }

    @Test("a selection keeps the named members at every depth")
    func selects() async throws {
        try await withDevice { peer, device in
            _ = try await create(peer, device, #"{"name":"a"}"#)
            let target = "\(Self.todo)?selection=%7Bname,unknown,status(x:%22,%7D%22)%7D"
            let answer = try await peer.signed("GET", target, device: device)
            #expect(answer.text == #"{"status":200,"response":[{"name":"a","status":"unchecked"}]}"#)
        }
    }

    @Test(
        "a path or method without a route is 404 with an empty error and without the time",
        arguments: [
            ("GET", "/"), ("GET", "/demo-auth/v1"), ("GET", "/demo-auth/v1/tvshows"), ("PATCH", "/demo-auth/v1/todo"),
            ("OPTIONS", "/demo-auth/v1/todo"), ("GET", "/demo-auth/v1/todo/a/b"), ("GET", "/demo-auth/v1/devices"),
        ]
    )
    func unknownRoute(_ method: String, _ target: String) async throws {
        try await withEmbeddedServer { running in
            let answer = try await Peer(running: running).send(method, target)
            #expect(answer.status == 404)
            #expect(answer.text == #"{"status":404,"errors":[{}]}"#)
            #expect(answer["timestamp"] == nil)
            #expect(answer["www-authenticate"] == nil)
        }
    }

    @Test("the service listing describes every route without a key")
    func services() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let answer = try await peer.send("GET", "/demo-auth/v1/services")
            guard case .array(let services) = answer.json?["response"] else {
                Issue.record("no array: \(answer.text)")
                return
            }
            #expect(services.count == 7)
            let update = try #require(services.first { $0["id"] == "todo.update" })
            #expect(update["method"] == "PUT")
            #expect(update["url"] == .string("http://\(peer.host)/demo-auth/v1/todo/:id"))
            #expect(update["parameters"]?["header"]?["key"]?["required"] == .bool(true))
            #expect(update["responses"]?["401"] != nil)
        }
    }

    @Test("a todo beyond the limit replaces the oldest one", arguments: [false, true])
    func bounded(inFile: Bool) async throws {
        try await withStore(inFile: inFile) { store in
            for number in 1...4 {
                let todo = TodoRecord(
                    id: "\(number)",
                    name: "n\(number)",
                    status: "checked",
                    group: "g",
                    created: 5,
                    lastModified: 5
                )
                try await store.insert(todo, maximum: 3)
            }
            #expect(try await store.todos(by: .created, skip: 0, limit: 10).map(\.id) == ["2", "3", "4"])
            #expect(try await store.todos(by: nil, skip: 1, limit: 1).map(\.id) == ["3"])
        }
    }
}
