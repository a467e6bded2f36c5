import Foundation
import HeliumFiles

/// A folder of the user for files of the tool, according to the XDG Base Directory Specification.
struct UserFolder {
    /// The variable with the folder's path, such as `XDG_STATE_HOME`.
    let variable: String

    /// The folder below the home folder that is used if the variable is not set.
    let fallback: String

    /// The environment variables.
    var environment = CommandContext.current.environment

    /// The folder for settings and credentials.
    static var configuration: Self { Self(variable: "XDG_CONFIG_HOME", fallback: ".config") }

    /// The folder for files that a run keeps for later runs.
    static var state: Self { Self(variable: "XDG_STATE_HOME", fallback: ".local/state") }

    /// Returns the path of the tool's own folder, which may not exist.
    ///
    /// A relative path in an XDG variable is ignored, as the specification requires. `HOME` has precedence over the
    /// home folder of the user database.
    ///
    /// - Throws: ``CommandFailure`` if `HOME` is not an absolute path.
    func path() throws -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/helium" }
        guard let home = environment["HOME"], !home.isEmpty else {
            return FileManager.default.homeDirectoryForCurrentUser.path + "/\(fallback)/helium"
        }
        guard home.hasPrefix("/") else {
            throw CommandFailure("HOME is \"\(home)\", which is not an absolute path: set HOME or \(variable)")
        }
        return home + "/\(fallback)/helium"
    }

    /// Creates the tool's own folder with permissions for the user only, unless it exists.
    ///
    /// - Returns: The path of the folder.
    /// - Throws: ``CommandFailure`` with the path, the reason and the variable to set.
    func create() throws -> String {
        let path = try path()
        do {
            try Folders.create(path, mode: 0o700)
        } catch {
            throw CommandFailure("the folder \(path) can't be created: \(error); \(remedy)")
        }
        return path
    }

    /// The advice for a folder that cannot be used.
    var remedy: String {
        guard let folder = environment[variable], folder.hasPrefix("/") else { return "set \(variable)" }
        return "set \(variable) to another folder"
    }
}
