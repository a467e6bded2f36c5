import Foundation
import HeliumFiles

/// A folder of the user in which the tool keeps files, by the XDG Base Directory Specification.
struct UserFolder {
    /// The folder's variable, such as `XDG_STATE_HOME`.
    let variable: String

    /// The folder below the home folder that stands for an unset variable.
    let fallback: String

    /// The variables of the process.
    var environment = ProcessInfo.processInfo.environment

    /// Settings, and what was signed in with.
    static var configuration: Self { Self(variable: "XDG_CONFIG_HOME", fallback: ".config") }

    /// The files that a run leaves for the next one.
    static var state: Self { Self(variable: "XDG_STATE_HOME", fallback: ".local/state") }

    /// The path of the tool's own folder, which need not exist.
    ///
    /// A relative path in an XDG variable counts as unset, as the specification has it. `HOME` goes before the home folder
    /// of the user database.
    ///
    /// - Throws: ``CommandFailure`` if `HOME` is no absolute path.
    func path() throws -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/helium" }
        guard let home = environment["HOME"], !home.isEmpty else {
            return FileManager.default.homeDirectoryForCurrentUser.path + "/\(fallback)/helium"
        }
        guard home.hasPrefix("/") else {
            throw CommandFailure("HOME is \"\(home)\", which is no absolute path: set HOME or \(variable)")
        }
        return home + "/\(fallback)/helium"
    }

    /// Creates the tool's own folder, for the user alone, unless it exists.
    ///
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure`` with path, reason and the variable to set.
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
