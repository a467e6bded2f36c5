public import HeliumJSON
public import HeliumKit
public import Observation

/// An observable object that mirrors a resource on the server (LibCOSM's `COSMModel`).
///
/// Use models for resources that a program shows or keeps for a long time. A model keeps track of unsaved changes,
/// updates in place when documents arrive, and reports changes. For single calls the values and ``CosmClient`` are
/// sufficient.
///
/// A model can be used from any thread and any task. Reading and setting members is immediate; only requests to the
/// server are `async`. All members are observable (`Observation`), and ``events`` delivers what happened in order.
public protocol CosmModel: AnyObject, Observable, Sendable {
    /// The API of this object; `nil` to use that of its owner, or else ``CosmClient/default``. Default: `nil`.
    var api: CosmClient? { get set }

    /// The resource as JSON, without its children: known and unknown members, including unsaved changes.
    ///
    /// Setting it changes the members that differ and removes the members that are missing or `null`. Any member can be
    /// set. A member without a typed property, or with a value of another type, is sent as it is.
    var info: JSONObject { get set }

    /// Whether the resource does not exist on the server yet, as far as the model knows. The next save creates it.
    var isNew: Bool { get }

    /// Whether the resource was deleted on the server. ``delete()`` sets it; it can also be set by the program.
    var isDeleted: Bool { get set }

    /// The names, as in JSON, of the members with unsaved changes. The next save sends them.
    var unsavedMembers: Set<String> { get }

    /// The events of the model from now on. See ``ModelEvents``.
    var events: ModelEvents { get }

    /// Sets a query parameter of later fetches. Parameters stay until they are reset. Saving and deleting do not use
    /// them.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in the query, for example `duration`.
    ///   - value: Its value; `nil` changes nothing.
    func useParameter(_ name: String, withValue value: (any ParameterConvertible)?)

    /// Removes all parameters.
    func resetParameters()

    /// Fetches the resource and updates the model in place. Unsaved changes stay.
    ///
    /// - Returns: The changes.
    /// - Throws: ``IncompleteModel`` before anything is sent if an id is missing; the errors of the API.
    @discardableResult
    func fetch() async throws -> ModelChanges

    /// Creates the resource if it is new. Otherwise sends the unsaved changes, if there are any.
    ///
    /// Saves and deletions of a model run one after the other. Changes that are made during a save are sent by the next
    /// one. After a failure all changes remain unsaved.
    ///
    /// - Throws: ``IncompleteModel`` before anything is sent if an id is missing; the errors of the API.
    func save() async throws

    /// Deletes the resource on the server, including its children.
    ///
    /// - Throws: ``IncompleteModel`` before anything is sent if an id is missing; the errors of the API.
    func delete() async throws

    /// Resets the members with unsaved changes to the last known values of the server.
    func discardChanges()
}
