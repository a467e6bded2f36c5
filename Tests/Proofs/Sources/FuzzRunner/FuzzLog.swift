import Foundation

@testable import FuzzSupport

/// A record of the current input, in a file that two processes have mapped into memory, so that it outlives a trap.
struct FuzzLog {
    private static let headBytes = 16
    private static let bytes = headBytes + FuzzTarget.inputLimit

    private let memory: UnsafeMutableRawPointer

    struct Unavailable: Error {}

    init(path: String, isNew: Bool) throws {
        let descriptor = open(path, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0o600)
        guard descriptor >= 0 else { throw Unavailable() }
        defer { _ = Foundation.close(descriptor) }
        guard ftruncate(descriptor, off_t(Self.bytes)) == 0,
            let memory = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw Unavailable() }
        self.memory = memory
    }

    func write(round: Int, _ input: [UInt8]) {
        input.withUnsafeBytes { bytes in
            let count = min(bytes.count, FuzzTarget.inputLimit)
            memory.storeBytes(of: UInt64(count), toByteOffset: 8, as: UInt64.self)
            if let base = bytes.baseAddress { memcpy(memory + Self.headBytes, base, count) }
        }
        memory.storeBytes(of: UInt64(round), as: UInt64.self)
    }

    var round: Int { Int(memory.load(as: UInt64.self)) }

    var input: [UInt8] {
        let count = min(Int(memory.load(fromByteOffset: 8, as: UInt64.self)), FuzzTarget.inputLimit)
        return Array(UnsafeRawBufferPointer(start: memory + Self.headBytes, count: count))
    }

    func close() { munmap(memory, Self.bytes) }
}
