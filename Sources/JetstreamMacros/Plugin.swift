import JetstreamMacroExpansion
import SwiftCompilerPlugin
import SwiftSyntaxMacros

// The compiler finds a macro by the name of its type in this module. The expansions are in a separate library, because
// a test target that depends on a plug-in makes SwiftPM build all dependencies of all tests a second time for the host.
enum MarkerMacro: MarkerExpansion {}
enum ModelMacro: ModelExpansion {}
enum ModelTrackedMacro: ModelTrackedExpansion {}

/// The macros of Jetstream, for the compiler.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [MarkerMacro.self, ModelMacro.self, ModelTrackedMacro.self]
}
