internal import Foundation

/// Where a download writes: the target, and what stands beside it until the target is whole.
struct DownloadPlace: Sendable {
    /// The file that is wanted.
    let target: String
    /// What has arrived so far. In the target's folder, so that renaming it is one step of the file system.
    let part: String
    /// Tells what the part belongs to; `nil` where nobody will ask.
    let record: String?

    /// - Parameter suffix: Tells downloads to the same target apart; `nil` where a later one has to find what this one
    ///   leaves.
    init(target: String, suffix: String?) {
        self.target = target
        let cut = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
        let stem = "\(target[..<cut]).\(target[cut...])"
        part = "\(stem).\(suffix ?? "partial")"
        record = suffix == nil ? "\(stem).partial-of" : nil
    }

    /// The folder of them all.
    var directory: String {
        guard let slash = target.lastIndex(of: "/") else { return "." }
        return slash == target.startIndex ? "/" : String(target[..<slash])
    }

    /// What was kept of the part's origin, if it can be read.
    func readRecord() -> Data? {
        guard let record else { return nil }
        let descriptor = open(record, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A record has a few hundred bytes; more is none of ours.
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let capacity = bytes.count
        let count = read(descriptor, &bytes, capacity)
        return count > 0 && count < capacity ? Data(bytes[..<count]) : nil
    }

    /// Keeps what the part belongs to.
    func write(_ bytes: Data) throws(FileFailure) {
        guard let record else { return }
        let descriptor = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure("the record beside the file can't be made", errno) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw FileFailure("the record beside the file can't be written", errno) }
    }

    /// Removes what the part belongs to.
    func removeRecord() { if let record { unlink(record) } }

    /// So that the rename outlives a power failure; a file system that can't do that has still renamed.
    func synchroniseDirectory() {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// What the file system refused.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ error: Int32) { description = "\(what): \(String(cString: strerror(error)))" }

    init(_ description: String) { self.description = description }
}
