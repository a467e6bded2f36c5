internal import AppNet

extension ParkedReason {
    /// The staged bytes of a file are missing or have changed.
    static let fileMissing = "fileMissing"
    /// A file of the message is parked for another reason.
    static let fileParked = "fileParked"

    static let maybeDeletedElsewhere = Self(
        code: "maybeDeletedElsewhere",
        message: "the message may have been deleted on another device"
    )

    /// The same code, because the decision and its consequences are the same.
    static let maybeUnreadable = Self(
        code: maybeDeletedElsewhere.code,
        message: "the service has a message that cannot be decoded and may be this one"
    )

    static let damaged = Self(code: "damaged", message: "the stored message, or one of its files, cannot be read")

    /// Creates the reason for a failed request. The text of the response is left out, because it may quote the request.
    ///
    /// - Parameter needsEdit: Whether the message is parked until it is edited.
    init(_ error: AppNetError, needsEdit: Bool = false) {
        var text = error.message
        if !error.missingScopes.isEmpty {
            text += " (scopes: \(error.missingScopes.map(\.rawValue).joined(separator: " or ")))"
        }
        if let call = error.underlying { text += " [\(call.request)\(call.status.map { ", status \($0)" } ?? "")]" }
        self.init(code: error.kind.rawValue, message: text, needsEdit: needsEdit)
    }

    /// Parses a reason from its ``stored`` form.
    init(stored text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let isPair = parts.count == 2
        self.init(code: isPair ? String(parts[0]) : "", message: String(isPair ? parts[1].dropFirst() : text[...]))
    }

    var stored: String { "\(code): \(message)" }

    /// The reason of a message that uses a file that is parked for this reason.
    var ofMessage: Self {
        Self(code: code == Self.fileMissing ? code : Self.fileParked, message: message)
    }
}
