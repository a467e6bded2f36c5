import Foundation

/// The variables that the tool was started with.
enum CommandEnvironment {
    /// A variable that is set to something.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
