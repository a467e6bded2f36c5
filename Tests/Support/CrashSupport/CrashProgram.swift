import Foundation
import HeliumServer
import HeliumServerTesting
import MessageBeast
import TestSupport

/// Kills a process with the engine repeatedly, and checks that no message is lost or sent twice.
///
///     [--points N] [--kills N] [--seed N] [--drain N]
///
/// The parent has the server. Its child is this program itself: it does random things with an engine on a file, and reports
/// each call by a pipe, before and after. First it is killed at each crash point (``CrashPoint``), or at `--points` of them
/// that the seed decides, then `--kills` times at random moments. Then two children send one outbox of `--drain` messages.
/// The exit status is 0 if all went well, 1 if not, and 2 for wrong arguments.
public enum CrashProgram {
    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the name of the program and its subcommand.
    ///   - subcommand: The subcommand with which the program starts itself as a child, if it has one.
    public static func main(_ arguments: [String], subcommand: String? = nil) async -> Never {
        do {
            if arguments.first == "child" {
                try await Child(try ChildOptions(arguments.dropFirst())).run()
            } else {
                let options = try CampaignOptions(arguments)
                try await campaign(options, ChildProgram(words: [subcommand, "child"].compactMap(\.self)))
            }
            exit(0)
        } catch let error as ArgumentError {
            say("crash: error: \(error.description)")
            exit(2)
        } catch {
            say("crash: FAILED \(error)")
            exit(1)
        }
    }

    private static func campaign(_ options: CampaignOptions, _ child: ChildProgram) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-crash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = EmbeddedServerConfiguration()
        configuration.appNet.accounts = .repeatable
        try await withEmbeddedServer(configuration) { server in
            let campaign = Campaign(server: server, child: child, folder: folder, options: options)
            try await campaign.run()
        }
        say("crash: passed \(options.kills) kills, seed \(options.seed)")
    }

    /// Prints a line at once, also into a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// A sentence about wrong arguments.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String
}

/// The arguments of the parent.
struct CampaignOptions {
    /// The number of crash points; `nil` for all.
    private(set) var points: Int?
    private(set) var kills = 300
    private(set) var seed: UInt64 = 1
    private(set) var drained = 500

    init(_ arguments: [String]) throws {
        for (name, value) in try pairs(arguments) {
            guard let number = Int(value), 0..<1_000_000 ~= number else {
                throw ArgumentError(description: "\(name) needs a number below a million")
            }
            switch name {
            case "--points": points = number
            case "--kills": kills = number
            case "--seed": seed = UInt64(number)
            case "--drain": drained = number
            default: throw ArgumentError(description: "unknown option \(name)")
            }
        }
    }
}

/// The arguments of the child.
struct ChildOptions {
    enum Mode: String {
        /// Does random things until it is killed.
        case work
        /// Sends and fetches until all is quiet, and lists what is stored.
        case settle
        /// Stores messages without sending them.
        case fill
        /// Sends what is stored.
        case drain
        /// Opens a file, which is migrated, and checks it.
        case open
    }

    private(set) var mode = Mode.work
    private(set) var database = ""
    private(set) var server = ""
    private(set) var channelType = ""
    private(set) var seed: UInt64 = 1
    private(set) var count = 0
    /// The crash point at which the process ends, and the number of times that it is reached before that.
    private(set) var point: CrashPoint?
    private(set) var passes = 0

    init(_ arguments: some Collection<String>) throws {
        guard let mode = arguments.first.flatMap({ Mode(rawValue: $0) }) else {
            throw ArgumentError(description: "unknown mode of a child")
        }
        self.mode = mode
        for (name, value) in try pairs(Array(arguments.dropFirst())) {
            switch name {
            case "--database": database = value
            case "--server": server = value
            case "--type": channelType = value
            case "--seed": seed = UInt64(value) ?? 1
            case "--count": count = Int(value) ?? 0
            case "--point": point = CrashPoint(rawValue: value)
            case "--passes": passes = Int(value) ?? 0
            default: throw ArgumentError(description: "unknown option \(name)")
            }
        }
    }
}

private func pairs(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count.isMultiple(of: 2) else { throw ArgumentError(description: "an option has no value") }
    return stride(from: 0, to: arguments.count, by: 2).map { (arguments[$0], arguments[$0 + 1]) }
}
