import Foundation

/// Files and folders that no user can write to, not even root, which ignores permissions.
enum WriteProtection {
    /// Whether this process can protect files from itself. Root needs a file system with immutable files.
    static let isAvailable: Bool = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("protected-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return false }
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard (try? set(true, path)) != nil else { return false }
        defer { try? set(false, path) }
        return access(path, W_OK) != 0
    }()

    static func set(_ isProtected: Bool, _ path: String) throws {
        if geteuid() == 0 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
            process.arguments = [isProtected ? "+i" : "-i", path]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw POSIXError(.EPERM) }
        } else {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = (isFolder ? 0o500 : 0o400) | (isProtected ? 0 : 0o200)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }
}
