import Foundation

/// The environment variables of the tool.
enum CommandEnvironment {
    /// Returns the value of a variable; `nil` if it is not set or empty.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
