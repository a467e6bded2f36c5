import AppNet
import Foundation

/// Where `login` keeps its token: `helium/appnet-tokens.json` in the user's configuration folder, for the user alone.
struct LoginStore {
    private let tokens: AccountTokens

    /// The store as it is; `nil` before the first login.
    init?(service: URL) {
        let path = Self.folder.appendingPathComponent(Self.name).path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        tokens = AccountTokens(in: FileTokenStore(at: path), service: service)
    }

    /// The store, made if need be.
    ///
    /// - Throws: A folder that can't be made.
    init(creatingFor service: URL) throws {
        try FileManager.default.createDirectory(
            at: Self.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        tokens = AccountTokens(
            in: FileTokenStore(at: Self.folder.appendingPathComponent(Self.name).path),
            service: service
        )
    }

    func token() async throws -> Secret? { try await tokens.token(for: Self.account) }

    func save(_ token: Secret) async throws { try await tokens.save(token, for: Self.account) }

    /// One login at a time for each service.
    private static let account = "login"

    private static let name = "appnet-tokens.json"

    private static var folder: URL {
        let configured = CommandEnvironment.value("XDG_CONFIG_HOME").map { URL(fileURLWithPath: $0) }
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config")
        return (configured ?? home).appendingPathComponent("helium")
    }
}
