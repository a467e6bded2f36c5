/// The points of the engine at which tests kill it (Docs/Protocols/MessageBeast.md §4.8).
package enum CrashPoint: String, CaseIterable, Sendable {
    /// C1: a message is inserted, but the transaction has not ended.
    case creating
    /// C2: a message is stored, but not claimed.
    case created
    /// C3: a message is claimed, but its request was not sent.
    case claimed
    /// C5: the response to a message was received, but is not stored.
    case responded
    /// C6: a message replaced its unsent row, but no event was sent.
    case adopted
    /// C7: the service created a file, but the response is not stored.
    case fileCreated
    /// C7: the service has the content of a file, but the response is not stored.
    case fileStored
    /// C8: a file is uploaded, but its message was not sent.
    case fileUploaded
    /// C9: a deletion is stored, but its request was not sent.
    case deleting
    /// C10: the service deleted a message, but the deletion is still pending.
    case deleted
    /// C11: a page of a full sync is stored, but the next one was not requested.
    case pageStored
    /// C12: a page is inserted, but the transaction has not ended.
    case pageStoring
    /// C13: the target of an action has its id, but the action was not sent.
    case targetReplaced
    /// C14: the service created a channel, but it is not stored.
    case channelCreated
    /// C15: the schema is changed, but the transaction has not ended.
    case migrating
}
