internal import HeliumEssentials
internal import HeliumFiles

/// The paths of a download: the target, and the files beside it until the target is complete.
struct DownloadPlace: Sendable {
    /// The target file.
    let target: FileTarget
    /// The path of the part file with the data received so far. It is in the target's folder, so that renaming it is
    /// atomic.
    let part: String
    /// The path of the record that describes the part file; `nil` if the download can't be resumed.
    let record: String?

    /// Creates the paths of a download.
    ///
    /// - Parameter suffix: A suffix that distinguishes downloads to the same target; `nil` if a later download must
    ///   find the part file.
    init(target: FileTarget, suffix: String?) {
        self.target = target
        let path = target.path
        let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
        let stem = "\(path[..<cut]).\(path[cut...])"
        part = "\(stem).\(suffix ?? "partial")"
        record = suffix == nil ? "\(stem).partial-of" : nil
    }

    /// Returns the contents of the record; `nil` if there is none or it can't be read.
    func readRecord() -> Data? {
        guard let record else { return nil }
        let descriptor = open(record, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A record has a few hundred bytes. A larger file is not a record.
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let capacity = bytes.count
        let count = read(descriptor, &bytes, capacity)
        return count > 0 && count < capacity ? Data(bytes[..<count]) : nil
    }

    /// Writes the record.
    func write(_ bytes: Data) throws(FileFailure) {
        guard let record else { return }
        let descriptor = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure("the record beside the file can't be created", .last) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try Descriptors.write(bytes, to: descriptor)
        } catch {
            throw FileFailure("the record beside the file can't be written", error)
        }
    }

    /// Deletes the record.
    func removeRecord() { if let record { unlink(record) } }
}

/// The error of a file operation.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ error: SystemError) { description = "\(what): \(error)" }

    init(_ description: String) { self.description = description }
}
