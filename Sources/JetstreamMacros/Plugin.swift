import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The macros of Jetstream, for the compiler.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [MarkerMacro.self, ModelMacro.self, ModelTrackedMacro.self]
}
