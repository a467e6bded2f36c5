import AppNet
import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// A call as the page has it, and the method that makes it.
struct CallCase: Sendable, CustomTestStringConvertible {
    /// Its name in the table.
    let name: String
    /// Method and target below the base URL; `nil` where the dialect has no such call.
    let appNet: String?
    let pnut: String?
    /// The JSON body as App.net takes it.
    let body: String?
    /// The answer's `data`.
    let answer: String
    let call: @Sendable (AppNetClient) async throws -> Void

    /// - Parameter pnut: Where pnut.io has it; `nil` at the same place, `-` nowhere.
    init(
        _ name: String,
        _ appNet: String?,
        pnut: String? = nil,
        body: String? = nil,
        _ answer: String = "{}",
        _ call: @escaping @Sendable (AppNetClient) async throws -> Void
    ) {
        self.name = name
        self.appNet = appNet
        self.pnut = pnut == "-" ? nil : pnut ?? appNet
        self.body = body
        self.answer = answer
        self.call = call
    }

    var testDescription: String { name }

    func target(in dialect: AppNetDialect) -> String? { dialect == .appNet ? appNet : pnut }

    static let all: [CallCase] = channels + messages + files + users + tokens + posts + others + pnutOnly
}
