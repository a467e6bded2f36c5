// A client of the signed middleware: registers this machine as a device, keeps its token in a file, and signs each call.
//
//     swift run SignedDevice                                  two runs with the same file, against an embedded server
//     HELIUM_SECRET=… HELIUM_SECRET_ID=… swift run SignedDevice BASE_URL DEVICES_URL TOKEN_FILE
//
// `helium serve` prints the values of its server as the member `middleware`. The folder of the file must exist.
import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting

@main
struct SignedDevice {
    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.isEmpty { try await demonstrate() } else { try await run(Array(arguments)) }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("SignedDevice: \(message)\n".utf8))
        exit(1)
    }

    private static func run(_ arguments: [String]) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard arguments.count == 3, let base = URL(string: arguments[0]), let devices = URL(string: arguments[1]),
            let secret = environment["HELIUM_SECRET"], let secretID = environment["HELIUM_SECRET_ID"]
        else { fail("expected BASE_URL DEVICES_URL TOKEN_FILE, with HELIUM_SECRET and HELIUM_SECRET_ID set") }
        let device = makeDevice(at: devices, tokenFile: URL(filePath: arguments[2]))
        try await keepTodo(
            HeliumConfiguration(secret: Secret(secret), secretID: secretID, baseURL: base, device: device)
        )
    }

    /// Does the same twice, as two runs of a program would. The second one finds the token in the file.
    private static func demonstrate() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signed-device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let registrations = try await withEmbeddedServer { server in
            let ready = server.ready.middleware
            for _ in 1...2 {
                let device = makeDevice(at: ready.devices, tokenFile: folder.appending(path: "device.json"))
                let secret = Secret(ready.secret)
                try await keepTodo(
                    HeliumConfiguration(secret: secret, secretID: ready.secretID, baseURL: ready.base, device: device)
                )
            }
            return server.middleware.registrations
        }
        guard registrations == 1 else { fail("the device was registered \(registrations) times instead of once") }
        print("2 runs with 1 registration")
    }

    private static func makeDevice(at devices: URL, tokenFile: URL) -> DeviceConfiguration {
        let info = DeviceInfo.current(appID: "com.example.signed-device", appVersion: "1.0")
        return DeviceConfiguration(url: devices, info: info, store: FileTokenStore(at: tokenFile))
    }

    /// Creates a todo, checks it off, and prints it. The first signed call registers the device.
    private static func keepTodo(_ configuration: HeliumConfiguration) async throws {
        try await withHelium(configuration) { helium in
            let registration = try await helium.device?.registration()
            print(registration == nil ? "the device is not registered yet" : "the device is registered")
            let draft = TodoDraft(name: "Water the plants")
            let id = try await helium.post("/todo", body: draft, returning: CreatedTodo.self).value().id
            try await helium.put("/todo/:id", body: TodoDraft(status: "checked")).pathReplacements(["id": id]).value()
            let found = try await helium.get("/todo/:id", returning: [Todo].self).pathReplacements(["id": id]).value()
            for todo in found { print("\(todo.name): \(todo.status)") }
        }
    }
}

private struct Todo: Decodable, Sendable {
    let name: String
    let status: String
}

/// The body of a request that creates or changes a todo. Members that are `nil` are not sent.
private struct TodoDraft: Encodable, Sendable {
    var name: String?
    var status: String?
}

private struct CreatedTodo: Decodable, Sendable {
    let id: String
}
