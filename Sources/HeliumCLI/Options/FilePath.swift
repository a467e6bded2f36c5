import ArgumentParser

/// Checks the paths of options that name a file.
///
/// `-` is a standard stream wherever a file is read or written once, from its beginning to its end. Elsewhere it is
/// refused, because a file with this name would surprise whoever means a stream.
enum FilePath {
    /// Checks that a path does not mean a standard stream.
    ///
    /// - Parameter option: The option or argument, for the error message.
    /// - Throws: `ValidationError` for `-`.
    static func check(_ path: String?, for option: String) throws {
        guard path == "-" else { return }
        throw ValidationError(
            "\(option) can't be a standard stream: give the path of a file, or ./- for a file named -"
        )
    }
}
