/// The kinds of events that a long run must have.
enum Kind: String, CaseIterable {
    // Edits.
    case setValue, addObject, removeObject, moveObject, reorder, select, share, cycle, detach, bringBack, pin, favor,
        aim
    // Objects that only a client has in its tree, and that only the server has in its.
    case localObject, weaklyLinkedObject
    // A change of a reference that waits for the end of an interval.
    case delayedChange
    case plainChanges, change, atomicChange, procedure, constraintRefused, undo, pause, serverUpdate
    // Changes that callbacks make, in callbacks of each kind, and change sets inside others.
    case callbackOfSync, callbackOfSet, callbackOfChange, callbackOfMembership, callbackOfParents, callbackOfCollection
    case callbackOfOutcome, callbackOfState, nestedSet, nestedProcedure, callbackOnActor
    // Outcomes.
    case completed, partiallyReverted, reverted, maybeSent, neverSent, rebased, refusedAtomic
    case recovered, recoveredInDoubt
    // Sessions.
    case established, resumed, lost, redeliveredByClient, redeliveredByServer, earlyMessage, readingPaused
    case olderAcknowledgement, duplicateForClient, duplicateForServer
    // Faults.
    case brokenSocket, deadSocket, staleSocket, kill, close, absence, expiry
    case serverKill, serverKillAfterCommit, storeReset
    case connectionRefused, sessionRefused, fetchRefused, writeRefused, unreachable
}
