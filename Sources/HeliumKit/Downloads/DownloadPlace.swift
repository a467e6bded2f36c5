internal import HeliumEssentials
internal import HeliumFiles

/// Where a download writes: the target, and what stands beside it until the target is whole.
struct DownloadPlace: Sendable {
    /// The file that is wanted.
    let target: FileTarget
    /// What has arrived so far. In the target's folder, so that renaming it is one step of the file system.
    let part: String
    /// Tells what the part belongs to; `nil` where nobody will ask.
    let record: String?

    /// - Parameter suffix: Tells downloads to the same target apart; `nil` where a later one has to find what this one
    ///   leaves.
    init(target: FileTarget, suffix: String?) {
        self.target = target
        let path = target.path
        let cut = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let stem = "\(path[..<cut]).\(path[cut...])"
        part = "\(stem).\(suffix ?? "partial")"
        record = suffix == nil ? "\(stem).partial-of" : nil
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
        guard descriptor >= 0 else { throw FileFailure("the record beside the file can't be made", .last) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try Descriptors.write(bytes, to: descriptor)
        } catch {
            throw FileFailure("the record beside the file can't be written", error)
        }
    }

    /// Removes what the part belongs to.
    func removeRecord() { if let record { unlink(record) } }
}

/// What the file system refused.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ error: SystemError) { description = "\(what): \(error)" }

    init(_ description: String) { self.description = description }
}
