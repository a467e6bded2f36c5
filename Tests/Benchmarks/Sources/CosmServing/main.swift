import BenchmarkHarness
import Cosm
import Foundation
import HeliumServer

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-bench-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

var configuration = EmbeddedServerConfiguration()
configuration.store = folder.appendingPathComponent("store.sqlite").path
let server = try EmbeddedServer(configuration)
let running = Task { try await server.run() }
let results = try await ServingMeasurement(server.ready().cosm).run(rounds: 5)
running.cancel()
try await running.value
print(results.json)
