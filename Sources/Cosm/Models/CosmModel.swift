public import HeliumJSON
public import HeliumKit
public import Observation

/// A model: something on the server as an object here, with a life of its own (LibCOSM's `COSMModel`).
///
/// Models are for everything that stays on a screen or in a program for long: they know what was changed and not yet saved,
/// take over what comes from the server in place, and tell of it. For single calls the values and ``CosmAPI`` are enough.
///
/// A model may be used from any thread and any task without waiting: reading and setting are immediate, only what asks the
/// server is `async`. Everything shown is observable (`Observation`), and ``events`` tells what happened in order.
public protocol CosmModel: AnyObject, Observable, Sendable {
    /// The API for this object; `nil` to use that of what it belongs to, else ``CosmAPI/default``. Default: `nil`.
    var api: CosmAPI? { get set }

    /// The JSON of it, without the children: known members, unknown ones, and unsaved changes.
    ///
    /// Setting changes the members that differ; one that is missing or `null` is removed. Any member can be set: what has no
    /// typed property, or is not of its type, is sent as it stands, for the server to judge.
    var info: JSONObject { get set }

    /// Whether it is not on the server yet, as far as is known here: the next save creates it.
    var isNew: Bool { get }

    /// Whether it was deleted on the server. Set by ``delete()``; may be set by hand.
    var isDeleted: Bool { get set }

    /// The names of the members that were changed here and not saved, as they are in JSON. The next save sends them.
    var unsavedMembers: Set<String> { get }

    /// What happens to the model from now on. See ``ModelEvents``.
    var events: ModelEvents { get }

    /// Sets a parameter of later fetches. Parameters stay until they are reset; saving and deleting know none.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in the query, for example `duration`.
    ///   - value: Its value; `nil` changes nothing.
    func useParameter(_ name: String, withValue value: (any ParameterConvertible)?)

    /// Forgets all parameters.
    func resetParameters()

    /// Asks the server how it is now, and takes that over in place. Unsaved changes stay.
    ///
    /// - Returns: What became different.
    /// - Throws: ``IncompleteModel``, if an id is missing, before anything is sent; what the API throws.
    @discardableResult
    func fetch() async throws -> ModelChanges

    /// Creates it on the server if it is new, otherwise sends what was changed here; nothing, if nothing was.
    ///
    /// Saves and deletions of one model are done one after the other. What is changed while one is under way is sent by the
    /// next. After a failure everything is as unsaved as before.
    ///
    /// - Throws: ``IncompleteModel``, if an id is missing, before anything is sent; what the API throws.
    func save() async throws

    /// Deletes it on the server, with what is below it.
    ///
    /// - Throws: ``IncompleteModel``, if an id is missing, before anything is sent; what the API throws.
    func delete() async throws

    /// Gives the unsaved members back the values that the server had when it was last heard of.
    func discardChanges()
}
