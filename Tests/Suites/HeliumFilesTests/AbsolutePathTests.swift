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
