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

    /// Checks that at most one option reads standard input. The second one would find it empty: a request without a body
    /// would be sent with the body as its secret.
    ///
    /// - Parameter options: The options or arguments, for the error message, and whether they read it.
    /// - Throws: `ValidationError` if several do.
    static func checkOneInput(_ options: (name: String, isUsed: Bool)...) throws {
        let used = options.filter(\.isUsed)
        guard used.count > 1 else { return }
        throw ValidationError(
            "standard input can't be both \(used[0].name) and \(used[1].name): give the path of a file for one of them"
        )
    }
}
