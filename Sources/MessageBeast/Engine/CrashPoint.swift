/// The points of the engine at which the tests kill it (Docs/Protocols/MessageBeast.md §4.8).
package enum CrashPoint: String, CaseIterable, Sendable {
    /// C1: a message is inserted, and the transaction has not ended.
    case creating
    /// C2: a message is stored, and not claimed.
    case created
    /// C3: a message is claimed, and its request has not left.
    case claimed
    /// C5: the response to a message is there, and is not stored.
    case responded
    /// C6: a message has replaced its unsent row, and no event tells of it.
    case adopted
    /// C7: the service has created a file, and the response is not stored.
    case fileCreated
    /// C7: the service has the content of a file, and the response is not stored.
    case fileStored
    /// C8: a file is uploaded, and its message has not left.
    case fileUploaded
    /// C9: a deletion is stored, and the service does not know of it.
    case deleting
    /// C10: the service has deleted a message, and the deletion is still pending.
    case deleted
    /// C11: a page of a full sync is stored, and the next one is not requested.
    case pageStored
    /// C12: a page is inserted, and the transaction has not ended.
    case pageStoring
    /// C13: the target of an action has its id, and the action is not sent.
    case targetReplaced
    /// C14: the service has created a channel, and it is not stored.
    case channelCreated
    /// C15: the schema is changed, and the transaction has not ended.
    case migrating
}
