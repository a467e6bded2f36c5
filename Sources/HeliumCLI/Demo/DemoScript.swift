import Foundation
import HeliumCrypto
import HeliumKit
import HeliumServer

/// The steps of the demonstration, in their order.
struct DemoScript {
    let server: EmbeddedServer
    let helium: Helium
    let device: Device
    private var created = ""

    init(server: EmbeddedServer, helium: Helium, device: Device) {
        self.server = server
        self.helium = helium
        self.device = device
    }

    mutating func run(_ stage: inout DemoStage) async {
        await everyday(&stage)
        await files(&stage)
        await trouble(&stage)
    }

    // MARK: Basic requests

    private mutating func everyday(_ stage: inout DemoStage) async {
        await stage.step("register a device") { [device] in
            try await device.register()
            return "one POST, token in memory"
        }
        created = await stage.value("create a todo") { [helium] in
            let draft = TodoDraft(name: "Buy milk \u{1F95B}", status: "unchecked")
            let reply = try await helium.post("/todo", body: draft, returning: CreatedTodo.self).value()
            return (reply.id, "id \(reply.id)")
        }
        let id = created
        await stage.step("create two more at once") { [helium] in
            async let bread = helium.post("/todo", body: TodoDraft(name: "Bread"), returning: CreatedTodo.self).value()
            async let tea = helium.post("/todo", body: TodoDraft(name: "Tea"), returning: CreatedTodo.self).value()
            return "ids \(try await bread.id), \(try await tea.id)"
        }
        await stage.step("list them") { [helium] in
            let todos = try await helium.get("/todo", returning: [Todo].self).parameters(["limit": 10]).value()
            try expect(todos.count == 3, "3 todos, not \(todos.count)")
            return todos.map(\.name).joined(separator: ", ")
        }
        await stage.step("read one") { [helium] in
            let todo = try await Self.read(id, with: helium)
            return "\(todo.name), \(todo.status), created \(todo.created.formatted(.iso8601))"
        }
        await stage.step("update it") { [helium] in
            try await helium.put("/todo/:id", body: TodoDraft(status: "checked")).pathReplacements(["id": id]).value()
            let todo = try await Self.read(id, with: helium)
            try expect(todo.status == "checked", "the status is \(todo.status)")
            return "status \(todo.status)"
        }
        await stage.step("delete it, with a completion handler") { [helium] in
            let result = await withCheckedContinuation { continuation in
                helium.delete("/todo/:id").pathReplacements(["id": id]).completion {
                    continuation.resume(returning: $0)
                }
            }
            let left = try await helium.get("/todo/:id", returning: [Todo].self).pathReplacements(["id": id]).value()
            try expect(left.isEmpty, "it is still there")
            return "status \(try result.get().status)"
        }
    }

    private static func read(_ id: String, with helium: Helium) async throws -> Todo {
        let found = try await helium.get("/todo/:id", returning: [Todo].self).pathReplacements(["id": id]).value()
        guard let todo = found.first else { throw DemoFailure("the todo does not exist") }
        return todo
    }

    // MARK: Files

    private func files(_ stage: inout DemoStage) async {
        let folder = CommandContext.current.temporaryFolder.appendingPathComponent("helium-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        await stage.step("create one from a file, streamed and signed") { [helium] in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("todo.json")
            try Data(#"{"name":"Read a file"}"#.utf8).write(to: file)
            let reply = try await helium.post("/todo", body: .file(at: file), returning: CreatedTodo.self).value()
            return "id \(reply.id)"
        }
        await stage.step("download the list, verified by its SHA-256") { [helium] in
            let list = helium.get("/todo", returning: Data.self)
            var options = DownloadOptions()
            options.sha256 = SHA256.hash(try await list.value()).hex
            let download = try await list.download(to: folder.appendingPathComponent("todos.json"), options: options)
            return "\(download.bytes) bytes, \(options.sha256?.prefix(12) ?? "")\u{2026}"
        }
    }

    // MARK: Failures

    private func trouble(_ stage: inout DemoStage) async {
        await stage.step("show a validation error") { [helium] in
            let draft = TodoDraft(name: "Tea", status: "perhaps")
            do {
                try await helium.post("/todo", body: draft).value()
            } catch let error as HeliumError where error.status == 400 {
                return error.serverErrors.map(\.description).joined(separator: "; ")
            }
            throw DemoFailure("the server accepted it")
        }
        await stage.step("survive a busy server") { [helium, server] in
            server.faults.inject(.busy, .next(1))
            let response = try await helium.get("/todo", returning: [Todo].self).response()
            return Self.story(response.attempts)
        }
        await stage.step("survive an expired key") { [helium, server] in
            server.faults.inject(.keyExpired, .next(1))
            let response = try await helium.get("/todo", returning: [Todo].self).response()
            return Self.story(response.attempts)
        }
        await stage.step("survive a server clock that is 10 minutes ahead") { [helium, server] in
            server.middleware.setClockOffset(.seconds(600))
            defer { server.middleware.setClockOffset(.zero) }
            let response = try await helium.get("/todo", returning: [Todo].self).response()
            return Self.story(response.attempts)
        }
        await stage.step("survive a forgotten device") { [helium, server] in
            try await server.middleware.forgetAllDevices()
            let response = try await helium.get("/todo", returning: [Todo].self).response()
            // The clock was set back in the meantime, so up to two corrections were needed.
            return Self.story(response.attempts)
        }
        await stage.step("end a request that takes too long") { [helium, server] in
            let token = server.faults.inject(.delay(.seconds(30)), .next(1))
            defer { server.faults.remove(token) }
            do {
                _ = try await helium.get("/todo", returning: [Todo].self).timeout(.milliseconds(200)).value()
            } catch let error as HeliumError where error.kind == .timedOut {
                return "\(error.kind), \(error.delivery.rawValue)"
            }
            throw DemoFailure("it returned")
        }
        await stage.step("cancel a slow request") { [helium, server] in
            let token = server.faults.inject(.delay(.seconds(30)), .next(1))
            defer { server.faults.remove(token) }
            let result = await withCheckedContinuation { continuation in
                let task = helium.get("/todo", returning: [Todo].self).completion { continuation.resume(returning: $0) }
                Task {
                    try? await Task.sleep(for: .milliseconds(200))
                    task.cancel()
                }
            }
            guard case .failure(let error) = result, error.kind == .cancelled else { throw DemoFailure("it returned") }
            return "\(error.kind), \(error.delivery.rawValue), handler called once"
        }
    }

    private static func story(_ attempts: [AttemptRecord]) -> String {
        attempts.map { attempt in
            guard case .answered(let status) = attempt.outcome else { return "\(attempt)" }
            return attempt.retryReason.map { "\(status), \($0)" } ?? "\(status)"
        }
        .joined(separator: " \u{2192} ")
    }
}
