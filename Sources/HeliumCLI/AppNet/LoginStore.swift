import AppNet
import Foundation
import HeliumFiles
import HeliumKit

/// Where `login` keeps its token: `helium/appnet-tokens.json` in the user's configuration folder, for the user alone.
struct LoginStore {
    private let tokens: AccountTokens
    private let file: FileTokenStore
    private let service: URL
    private let path: String

    /// The store as it is; `nil` before the first login.
    init?(service: URL) throws {
        let path = try UserFolder.configuration.path() + Self.fileName
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(keeping: service, at: path)
    }

    /// The store, made if need be.
    ///
    /// - Throws: `CommandFailure`: a folder that can't be made.
    init(creatingFor service: URL) throws {
        do {
            self.init(keeping: service, at: try UserFolder.configuration.create() + Self.fileName)
        } catch let error as CommandFailure {
            throw CommandFailure("the login can't be kept: \(error)")
        }
    }

    private init(keeping service: URL, at path: String) {
        file = FileTokenStore(at: path)
        tokens = AccountTokens(in: file, service: service)
        self.service = service
        self.path = path
    }

    /// Finds out whether a token could be kept.
    ///
    /// - Throws: `CommandFailure`.
    func check() async throws {
        do {
            // Changes nothing: no token is empty. Yet it takes the lock, and reads what is there.
            try await file.clear(token: "", for: TokenStoreKey(devicesURL: service, secretID: Self.account))
        } catch let error as TokenStoreError {
            throw CommandFailure(
                "the login can't be kept: \(error); put that file away, or \(UserFolder.configuration.remedy)"
            )
        }
    }

    /// The token; `nil` if there is none.
    ///
    /// - Throws: `CommandFailure` for a file that others can read, as ssh does: whoever may have read it is signed in.
    func token() async throws -> Secret? {
        if let mode = (try? FileFacts(atPath: path))?.mode, mode & 0o077 != 0 {
            throw CommandFailure(
                "\(path) has mode \(String(mode, radix: 8)), so that others can get at the token: chmod 600 it, or log in anew"
            )
        }
        return try await tokens.token(for: Self.account)
    }

    /// Keeps a token, in a file that nobody else can read.
    func save(_ token: Secret) async throws { try await tokens.save(token, for: Self.account) }

    /// One login at a time for each service.
    private static let account = "login"

    private static let fileName = "/appnet-tokens.json"
}
