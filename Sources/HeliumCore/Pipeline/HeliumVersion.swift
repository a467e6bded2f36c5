/// The version of this package, as used in the user agent, in the tool's `--version` and in the names of release
/// archives.
///
/// Scripts/version.sh reads this file. CONTRIBUTING.md explains the version numbers.
package enum HeliumVersion {
    /// The semantic version of the newest release, or of the next one if CHANGELOG.md lists unreleased changes.
    package static let current = "0.6.0"
}
