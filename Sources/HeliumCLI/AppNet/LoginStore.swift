import AppNet
import Foundation
import HeliumFiles
import HeliumKit

/// The storage of the token of `login`: `helium/appnet-tokens.json` in the user's configuration folder. Only the user
/// can read it.
struct LoginStore {
    private let tokens: AccountTokens
    private let file: FileTokenStore
    private let service: URL
    private let path: String

    /// Opens the existing store; `nil` before the first login.
    init?(service: URL) throws {
        let path = try UserFolder.configuration.path() + Self.fileName
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(keeping: service, at: path)
    }

    /// Opens the store, and creates it if it is missing.
    ///
    /// - Throws: `CommandFailure` if the folder cannot be created.
    init(creatingFor service: URL) throws {
        do {
            self.init(keeping: service, at: try UserFolder.configuration.create() + Self.fileName)
        } catch let error as CommandFailure {
            throw CommandFailure("the login can't be stored: \(error)")
        }
    }

    private init(keeping service: URL, at path: String) {
        file = FileTokenStore(at: path)
        tokens = AccountTokens(in: file, service: service)
        self.service = service
        self.path = path
    }

    /// Checks whether a token can be stored.
    ///
    /// - Throws: `CommandFailure` if it cannot.
    func check() async throws {
        do {
            // Changes nothing, because no stored token is empty. But it takes the lock and reads the file.
            try await file.clear(token: "", for: TokenStoreKey(devicesURL: service, secretID: Self.account))
        } catch let error as TokenStoreError {
            throw CommandFailure(
                "the login can't be stored: \(error); move that file away, or \(UserFolder.configuration.remedy)"
            )
        }
    }

    /// Returns the token; `nil` if there is none.
    ///
    /// - Throws: `CommandFailure` if other users can read the file, because they could use the token. The `ssh` command
    ///   has the same rule.
    func token() async throws -> Secret? {
        if let mode = (try? FileFacts(atPath: path))?.mode, mode & 0o077 != 0 {
            throw CommandFailure(
                "\(path) has mode \(String(mode, radix: 8)), so other users can access the token: use chmod 600, or log in again"
            )
        }
        return try await tokens.token(for: Self.account)
    }

    /// Stores a token in a file that no other user can read.
    func save(_ token: Secret) async throws { try await tokens.save(token, for: Self.account) }

    /// The account name. There is one login for each service.
    private static let account = "login"

    private static let fileName = "/appnet-tokens.json"
}
