internal import AppNet

/// The consequence of a failed deletion, of a message or of a file (Docs/Protocols/MessageBeast.md §4.6).
struct DeletionFailure {
    let kind: FailureClass
    /// The number of attempts that the service answered with a failure that may pass, with this one.
    let attempts: Int
    /// Whether the deletion waits for the user: the service refuses it, or has failed too often.
    let isFinal: Bool

    /// - Parameter before: The number of earlier attempts that count.
    init(_ error: AppNetError, after before: Int, options: MessageManager.Options) {
        kind = options.failureClasses(error)
        switch kind {
        case .park, .reject: (attempts, isFinal) = (before, true)
        // A deletion needs no room. Without a status, the network has failed, which says nothing about the service.
        case .unknown where error.status != nil, .waitForQuota:
            attempts = before + 1
            isFinal = attempts >= options.maximumSendAttempts
        case .unknown, .retry, .waitForSignIn: (attempts, isFinal) = (before, false)
        }
    }
}
