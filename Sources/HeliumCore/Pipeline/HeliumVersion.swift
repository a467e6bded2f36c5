/// The version of this package: in the user agent, in the tool's `--version` and in the names of release archives.
///
/// Scripts/version.sh reads this file. CONTRIBUTING.md says what the numbers mean.
package enum HeliumVersion {
    /// The semantic version: of the newest release, or of the next one where CHANGELOG.md has unreleased changes.
    package static let current = "0.6.0"
}
