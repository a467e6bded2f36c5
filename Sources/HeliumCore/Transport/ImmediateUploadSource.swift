/// A source whose bytes are mostly in the memory of the system, so that a loop can read them itself.
package protocol ImmediateUploadSource: UploadSource {
    /// Stores the next bytes at the beginning of `room`, which is not empty. Never waits for a device.
    ///
    /// - Returns: The number of bytes. `nil` if they have to be waited for, which ``UploadSource/next()`` does.
    /// - Throws: Also when the last byte was read, if the source has more or fewer bytes than it had announced.
    func readNow(into room: UnsafeMutableRawBufferPointer) throws(UploadFailure) -> Int?
}
