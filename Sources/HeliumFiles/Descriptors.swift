internal import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Functions that read from and write to descriptors of regular files.
package enum Descriptors {
    private static let blockBytes = 256 << 10

    /// Writes all of `bytes`.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest)
            let count = retryingInterrupted { systemWrite(descriptor, slice.baseAddress, slice.count) }
            guard count >= 0 else { throw .last }
            // Without this error, a file that accepts no bytes and reports no error would cause an endless loop.
            guard count > 0 else { throw SystemError(EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all of `bytes`.
    package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
        let result = bytes.withContiguousStorageIfAvailable { storage in
            Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(storage), to: descriptor) }
        }
        if let result { return try result.get() }
        try write(Array(bytes), to: descriptor)
    }

    /// Reads from the current position of a file what is in memory already, and never waits for a disk.
    ///
    /// - Returns: The number of bytes; 0 at the end of the file. `nil` if nothing is in memory, or the system can't say.
    package static func readCached(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = retryingInterrupted { helium_read_cached(descriptor, room.baseAddress, room.count) }
        return count >= 0 ? count : nil
    }

    /// Copies from the current position of one file to its end.
    package static func copy(from source: Int32, to target: Int32) throws(SystemError) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 1)
        defer { block.deallocate() }
        while true {
            let count = retryingInterrupted { systemRead(source, block.baseAddress, block.count) }
            guard count >= 0 else { throw .last }
            if count == 0 { return }
            try write(UnsafeRawBufferPointer(rebasing: block[..<count]), to: target)
        }
    }
}

/// Calls `write(2)`, which the method of the same name would hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// `read(2)`: the name alone would be the method's.
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

/// Opens an existing file with `open(2)`.
func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
