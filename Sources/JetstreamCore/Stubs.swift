public import HeliumJSON
public import Observation
import Foundation
public final class Scope {}
final class ObserverList {}
final class PendingChange {}
final class NodeExtras {}
struct ParentLinks {}
final class ModelPlaceholder: ModelObject {
    static let modelSchema = ModelSchema("", of: ModelPlaceholder.self) { [] }
    let modelNode = ModelNode()
    init(uuid: ModelID) { modelNode.identify(uuid) }
}
extension ModelNode {
    @usableFromInline
    func makeRegistrar(_ keyPath: @autoclosure () -> AnyKeyPath) -> ObservationRegistrar? {
        registrar = ObservationRegistrar()
        return registrar
    }
    @usableFromInline
    func beginTeardown() {}
    @usableFromInline
    func report(_ model: any ModelObject, _ schema: ModelSchema, _ ordinal: Int, _ difference: ModelDifference, _ original: (ModelFormat) -> JSONValue) {}
}
