import Foundation
import HeliumFiles
import Testing

@Suite("Absolute paths")
struct AbsolutePathTests {
    @Test(
        "an absolute path starts in the current folder, and keeps the name",
        arguments: ["a", "a/b", "./a", "../a", "file:x.sqlite", ":memory:", "file:///x", "~/a", "a b%20#?"]
    )
    func relative(path: String) {
        let folder = FileManager.default.currentDirectoryPath
        #expect(FileFacts.absolutePath(path) == (folder == "/" ? "/\(path)" : "\(folder)/\(path)"))
    }

    @Test("an absolute path remains as it is", arguments: ["/", "/a", "/a/../b", "//a", "/file:x"])
    func absolute(path: String) { #expect(FileFacts.absolutePath(path) == path) }
}

@Suite("Paths without symbolic links")
struct ResolvedPathTests {
    private static func withFolder(_ body: (String) throws -> Void) throws {
        let name = FileManager.default.temporaryDirectory.appendingPathComponent("helium-paths-\(UUID().uuidString)")
            .path
        let files = FileManager.default
        try files.createDirectory(atPath: name + "/real/deep", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: name) }
        try files.createSymbolicLink(atPath: name + "/folder", withDestinationPath: "real")
        try files.createSymbolicLink(atPath: name + "/absolute", withDestinationPath: name + "/real/x.sqlite")
        try files.createSymbolicLink(atPath: name + "/real/deep/up", withDestinationPath: "../x.sqlite")
        try files.createSymbolicLink(atPath: name + "/chain", withDestinationPath: "folder/deep/up")
        try body(try #require(FileFacts.realPath(name)))
    }

    @Test("every name of a file has one resolved path, before and after the file is created")
    func names() throws {
        try Self.withFolder { folder in
            let names = [
                "real/x.sqlite", "folder/x.sqlite", "absolute", "real/deep/up", "chain", "real/../real/./x.sqlite",
            ]
            for name in names {
                #expect(FileFacts.resolvedPath("\(folder)/\(name)") == folder + "/real/x.sqlite", "\(name)")
            }
            #expect(FileManager.default.createFile(atPath: folder + "/real/x.sqlite", contents: nil))
            for name in names {
                #expect(FileFacts.resolvedPath("\(folder)/\(name)") == folder + "/real/x.sqlite", "\(name)")
            }
        }
    }

    @Test("a path that leads nowhere remains as it is")
    func nowhere() throws {
        try Self.withFolder { folder in
            try FileManager.default.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: "circle")
            for name in ["circle", "missing/x.sqlite"] {
                #expect(FileFacts.resolvedPath("\(folder)/\(name)") == "\(folder)/\(name)")
            }
            #expect(FileFacts.resolvedPath("/helium-missing.sqlite") == "/helium-missing.sqlite")
        }
    }
}
