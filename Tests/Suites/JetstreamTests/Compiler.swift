import Foundation
import TestSupport

/// The compiler, with the macros' plug-in and the modules of this build.
struct Compiler: Sendable {
    /// The end of a compilation: its status, and all that it printed.
    struct Result {
        let status: Int32
        let output: String
    }

    private let compiler: URL
    private let plugin: URL
    private let modules: URL
    /// The descriptions of C modules that the modules here were compiled with.
    private let moduleMaps: [URL]

    /// The compiler on the path, if this build has the plug-in as a program of its own: SwiftPM makes one.
    static let installed = Compiler()

    private init?() {
        // `debug` is a link to the folder that is named after the platform.
        let folder = BuiltProducts.folder.resolvingSymlinksInPath()
        let files = FileManager.default
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let candidates = path.split(separator: ":").map {
            URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc")
        }
        guard let compiler = candidates.first(where: { files.isExecutableFile(atPath: $0.path) }) else { return nil }
        guard let plugin = BuiltProducts.macroExecutable("JetstreamMacros") else { return nil }
        self.compiler = compiler
        self.plugin = plugin
        modules = folder.appendingPathComponent("Modules")
        guard files.fileExists(atPath: modules.path) else { return nil }
        // Those that SwiftPM wrote are beside the modules; dependencies keep their own in their sources.
        func entries(_ folder: URL) -> [URL] {
            (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }
        let built = entries(folder).filter {
            $0.pathExtension == "build" && !$0.lastPathComponent.hasSuffix("-tool.build")
        }
        let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()
        let targets = entries(scratch.appendingPathComponent("checkouts")).flatMap {
            entries($0.appendingPathComponent("Sources"))
        }
        moduleMaps = (built + targets + targets.map { $0.appendingPathComponent("include") })
            .map { $0.appendingPathComponent("module.modulemap") }
            .filter { files.fileExists(atPath: $0.path) }
    }

    /// Type-checks a file in Swift 6, as a user's module would.
    func typecheck(_ file: URL, _ arguments: [String] = []) throws -> Result {
        let process = Process()
        process.executableURL = compiler
        process.arguments =
            [
                "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility",
                "-enable-upcoming-feature", "ExistentialAny", "-module-name", "Sketch", "-I", modules.path,
                "-load-plugin-executable", "\(plugin.path)#JetstreamMacros",
            ] + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + arguments + [file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    /// Type-checks a file whose errors are announced in it by `// expected-error`.
    func verify(_ file: URL) throws -> Result { try typecheck(file, ["-Xfrontend", "-verify"]) }
}
