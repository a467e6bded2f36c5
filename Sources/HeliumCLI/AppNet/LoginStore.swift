import AppNet
import Foundation
import HeliumKit

/// Where `login` keeps its token: `helium/appnet-tokens.json` in the user's configuration folder, for the user alone.
struct LoginStore {
    private let tokens: AccountTokens
    private let file: FileTokenStore
    private let service: URL

    /// The store as it is; `nil` before the first login.
    init?(service: URL) {
        guard FileManager.default.fileExists(atPath: Self.path) else { return nil }
        self.init(keeping: service)
    }

    /// The store, made if need be.
    ///
    /// - Throws: `CommandFailure`: a folder that can't be made.
    init(creatingFor service: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: Self.folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause.map { ": \(String(cString: strerror(Int32($0.code))))" } ?? ""
            throw Self.failure("the folder \(Self.folder.path) can't be made\(reason)", "set XDG_CONFIG_HOME")
        }
        self.init(keeping: service)
    }

    private init(keeping service: URL) {
        file = FileTokenStore(at: Self.path)
        tokens = AccountTokens(in: file, service: service)
        self.service = service
    }

    /// Finds out whether a token could be kept.
    ///
    /// - Throws: `CommandFailure`.
    func check() async throws {
        do {
            // Changes nothing: no token is empty. Yet it takes the lock, and reads what is there.
            try await file.clear(token: "", for: TokenStoreKey(devicesURL: service, secretID: Self.account))
        } catch let error as TokenStoreError {
            throw Self.failure("\(error)", "put that file away, or set XDG_CONFIG_HOME to another folder")
        }
    }

    /// The token; `nil` if there is none.
    ///
    /// - Throws: `CommandFailure` for a file that others can read, as ssh does: whoever may have read it is signed in.
    func token() async throws -> Secret? {
        let target = URL(fileURLWithPath: Self.path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        if let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 != 0 {
            throw CommandFailure(
                "\(Self.path) has mode \(String(mode, radix: 8)), so that others can get at the token: chmod 600 it, or log in anew"
            )
        }
        return try await tokens.token(for: Self.account)
    }

    /// Keeps a token, in a file that nobody else can read.
    func save(_ token: Secret) async throws { try await tokens.save(token, for: Self.account) }

    private static func failure(_ reason: String, _ remedy: String) -> CommandFailure {
        CommandFailure("the login can't be kept: \(reason); \(remedy)")
    }

    /// One login at a time for each service.
    private static let account = "login"

    private static var path: String { folder.appendingPathComponent("appnet-tokens.json").path }

    private static var folder: URL {
        let configured = CommandEnvironment.value("XDG_CONFIG_HOME").map { URL(fileURLWithPath: $0) }
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config")
        return (configured ?? home).appendingPathComponent("helium")
    }
}
