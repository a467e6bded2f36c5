import Foundation
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@Suite("helium conair fetch and plot", .timeLimit(.minutes(5)))
struct ConAirCommandTests {
    private static let window = ["--start", "2012-12-11T20:00:00Z", "--stop", "2012-12-11T20:08:00Z"]

    /// A series of 2012 with a gap of two steps.
    private func withPast(_ body: (ConAirToolWorld) async throws -> Void) async throws {
        try await ConAirToolWorld.with { configuration in
            configuration.conAir.clock = .fixed(milliseconds: 1_355_259_600_000)
        } _: { world in
            for (minute, value) in [(0, 20), (1, 22), (6, 21.5)] as [(Double, Double)] {
                try await world.store(value, Date(timeIntervalSince1970: 1_355_256_000 + minute * 60))
            }
            try await body(world)
        }
    }

    @Test("helium conair fetch prints the points of a window in every format, without gaps")
    func formats() async throws {
        try await withPast { world in
            let table = try await world.conAir(["fetch", "--zone", "Europe/Vienna"] + Self.window)
            #expect(table.status == 0 && table.stderr == "")
            #expect(
                table.stdout
                    == "TIME                       VALUE\n2012-12-11T21:00:00+01:00  21.0\n2012-12-11T21:06:00+01:00  21.5\n"
            )
            let csv = try await world.conAir(["fetch", "--format", "csv"] + Self.window)
            #expect(csv.stdout == "2012-12-11T20:00:00Z,21.0\n2012-12-11T20:06:00Z,21.5\n")
            let json = try await world.conAir(["fetch", "--format", "json", "--step", "60"] + Self.window)
            let elements = try #require(
                try JSONSerialization.jsonObject(with: Data(json.stdout.utf8)) as? [[String: Any]]
            )
            #expect(elements.compactMap { $0["value"] as? Double } == [20, 22, 21.5])
            #expect(elements.first?["ts"] as? String == "2012-12-11T20:00:00Z")
            let nothing = try await world.conAir(
                ["fetch", "--format", "json", "--start", "2012-12-10T20:00:00Z", "--stop", "2012-12-10T21:00:00Z"]
            )
            #expect(nothing.status == 0 && nothing.stdout == "[]\n")
        }
    }

    @Test("helium conair prints times in the zone of TZ, also in the form of POSIX")
    func posixZone() async throws {
        try await withPast { world in
            let fetch = try await Tool.run(world.process(["fetch"] + Self.window, ["TZ": "JST-9"]))
            #expect(fetch.status == 0 && fetch.stdout.contains("2012-12-12T05:00:00+09:00  21.0"), "\(fetch)")
            let rules = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
            let refused = try await Tool.run(world.process(["fetch"] + Self.window, rules))
            #expect(refused.status == 64 && refused.stderr.contains("invalid TZ"), "\(refused)")
            let named = try await Tool.run(world.process(["fetch", "--zone", "UTC"] + Self.window, rules))
            #expect(named.status == 0 && named.stdout.contains("2012-12-11T20:00:00Z"), "\(named)")
        }
    }

    @Test(
        "helium conair fetch reads the last 24 hours of the server's clock by default",
        arguments: [-7200.0, 0, 7200]
    )
    func present(ahead: Double) async throws {
        try await ConAirToolWorld.with { configuration in
            configuration.conAir.sensor = ConAirSensor()
            configuration.conAir.clock = ServerClock(
                milliseconds: { Int64((Date().timeIntervalSince1970 + ahead) * 1000) }
            )
        } _: { world in
            let outcome = try await world.conAir(["fetch", "--format", "csv"])
            #expect(outcome.status == 0 && outcome.stderr == "")
            let times = outcome.stdout.split(separator: "\n").compactMap {
                ISO8601DateFormatter().date(from: String($0.prefix(20)))
            }
            #expect((719...721).contains(times.count), "\(times.count)")
            let newest = try #require(times.last).timeIntervalSinceNow
            #expect(newest > ahead - 300 && newest <= ahead)
        }
    }

    @Test(
        "helium conair fetch and plot read a window of any start with one request, also with a cache",
        arguments: ["fetch", "plot -", "plot - --compare", "fetch --step 60", "fetch --step 172800"]
    )
    func requests(command: String) async throws {
        try await ConAirToolWorld.with { configuration in
            configuration.conAir.sensor = ConAirSensor()
        } _: { world in
            let start = ["--start", world.step(ago: 30).stamp]
            for (options, count) in [[], start, ["--cache", world.path("cache.sqlite")]].flatMap({ [($0, 1), ($0, 2)] })
            {
                world.running.server.requests.removeAll()
                let outcome = try await world.conAir(command.split(separator: " ").map(String.init) + options)
                #expect(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
                #expect(world.running.requests.count("GET", "/data/") == 1, "\(options), time \(count)")
            }
        }
    }

    @Test(
        "helium conair plot replaces a file in one step, and keeps its mode",
        arguments: [[], ["--horizon", "--dark"], ["--compare"], ["--width", "360"]]
    )
    func plot(options: [String]) async throws {
        try await withPast { world in
            let file = world.path("chart.svg")
            try Data("old".utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            let title = ["--title", "A <b> & C", "--unit", "°C"]
            let outcome = try await world.conAir(["plot", file] + title + options + Self.window)
            #expect(outcome.status == 0 && outcome.stdout == "" && outcome.stderr == "", "\(outcome)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("<title>A &lt;b&gt; &amp; C</title>") && text.contains("21.50 °C"))
            #expect(text.contains("class=\"above layer0\"") == options.contains("--horizon"))
            #expect(text.contains("prefers-color-scheme") != options.contains("--dark"))
            let width = options.contains("--width") ? 360 : 480
            #expect(text.contains("viewBox=\"0 0 \(width) 300\""))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path) == ["chart.svg"])
        }
    }

    @Test(
        "helium conair plot draws a note for a window without points, also to a pipe",
        arguments: ["/dev/stdout", "-"]
    )
    func nothing(file: String) async throws {
        try await ConAirToolWorld.with { world in
            // In a command that runs as a task, /dev/stdout is that of the test process.
            let plot = ["plot", file]
            let outcome = file == "-" ? try await world.conAir(plot) : try await Tool.run(world.process(plot))
            #expect(outcome.status == 0 && outcome.stdout.hasSuffix("</svg>\n") && outcome.stdout.contains(">No data<"))
            #expect(outcome.stderr == "" && !FileManager.default.fileExists(atPath: "-"))
        }
    }

    @Test("helium conair exits with 1 if the source fails, and leaves the file as it was")
    func failure() async throws {
        try await withPast { world in
            let file = world.path("chart.svg")
            try Data("old".utf8).write(to: URL(fileURLWithPath: file))
            world.running.faults.inject(.status(404), .path("/data/"))
            for window in [Self.window, []] {
                let outcome = try await world.conAir(["plot", file] + window)
                #expect(outcome.status == 1 && outcome.stderr.contains("404"), "\(outcome)")
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
            let folder = try await world.conAir(["plot", world.folder.path])
            #expect(folder.status == 1 && folder.stderr.contains("can't be written: Is a directory"), "\(folder)")
        }
    }

    @Test("the cache of helium conair keeps points that the server lost, and grows backwards")
    func cache() async throws {
        try await ConAirToolWorld.with { world in
            for steps in 1...60 { try await world.store(Double(steps), world.step(ago: steps)) }
            let cache = ["--cache", world.path("cache.sqlite"), "--format", "csv"]
            func rows(_ arguments: [String] = []) async throws -> Int {
                let outcome = try await world.conAir(["fetch"] + cache + arguments)
                #expect(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
                return outcome.stdout.split(separator: "\n").count
            }
            let (hour, start) = (world.step(ago: 30), world.step(ago: 50))
            #expect(try await rows(["--start", hour.stamp]) == 30)
            #expect(try await rows(["--start", start.stamp]) == 50)
            // Only what is newer is asked for now.
            world.running.conAir.addGap(.distantPast..<world.step(ago: 5))
            try await world.store(0, world.step(ago: 0))
            #expect(try await rows(["--start", start.stamp]) == 51)
            // Another step is another series.
            #expect(try await rows(["--step", "60"]) == 6)
            let file = try FileManager.default.attributesOfItem(atPath: world.path("cache.sqlite"))
            #expect(file[.posixPermissions] as? Int == 0o600)
            #expect(try world.logs(of: "cache.sqlite").isEmpty)
        }
    }

    @Test("helium conair moves a damaged cache aside, and refuses a file of another kind")
    func badCache() async throws {
        try await ConAirToolWorld.with { world in
            #expect(try await world.conAir(["fetch", "--cache", world.path("cache.sqlite")]).status == 0)
            try Data("no database at all, but long enough to be looked at".utf8).write(
                to: world.folder.appendingPathComponent("cache.sqlite")
            )
            let outcome = try await world.conAir(["fetch", "--cache", world.path("cache.sqlite"), "--format", "csv"])
            #expect(outcome.status == 0 && outcome.stderr.contains("was moved to"), "\(outcome)")
            let folder = try await world.conAir(["fetch", "--cache", world.folder.path])
            #expect(folder.status == 1, "\(folder)")
            #expect(folder.stderr == "helium: \(world.folder.path): foreign: not a regular file\n")
            let missing = try await world.conAir(["fetch", "--cache", world.path("none/c.sqlite")])
            let reason = "cannotOpen: the folder of the file does not exist"
            #expect(missing.status == 1 && missing.stderr == "helium: \(world.path("none/c.sqlite")): \(reason)\n")
        }
    }
}
