/// The version of this package: in the user agent and in the tool's `--version`.
package enum HeliumVersion {
    /// Semantic version.
    package static let current = "0.1.0"
}
