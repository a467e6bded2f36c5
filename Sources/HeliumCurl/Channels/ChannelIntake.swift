/// The memory of a handler into which a channel reads, instead of the memory that all channels share. So the bytes of a
/// large body are not copied. Called on the loop's thread.
protocol ChannelIntake: AnyObject {
    /// Returns the memory for the next bytes, which is not empty. Bytes that do not belong there must not fit into it.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: `nil` if the handler gets the next bytes.
    func room(upTo limit: Int) -> UnsafeMutableRawBufferPointer?

    /// Called once after ``room(upTo:)`` has returned memory.
    ///
    /// - Parameter count: The number of bytes at its beginning that have arrived; 0 if there are none.
    func didFill(_ count: Int)
}
