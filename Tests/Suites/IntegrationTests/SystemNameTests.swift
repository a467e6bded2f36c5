import AppNet
import Cosm
import NIOCore
import Testing

// Former names of AppNet are still declared, unavailable, beside Cosm's `User` and NIOCore's `Channel`. Each is used here without
// its module wherever a type can stand: an ambiguous name does not compile.

extension Channel {
    fileprivate var isOfNIO: Bool { true }
}

extension User {
    fileprivate var isOfCosm: Bool { true }
}

extension AppNetUser {
    fileprivate var isOfAppNet: Bool { true }
}

private struct Transport<Pipe: Channel> {
    var pipe: Pipe
    var erased: any Channel { pipe }
    var owner: User?
    var writer: AppNetUser?
    var room: AppNetChannel?

    func isOfNIO(_ channel: some Channel) -> Bool { channel.isOfNIO && erased.isOfNIO }
}

@Suite("Names that AppNet shared with Cosm and NIOCore")
struct SystemNameTests {
    @Test("names of Cosm and NIOCore, and AppNet's own, are found without the module")
    func unqualified() {
        let types: [any Any.Type] = [(any Channel).self, User.self, AppNetChannel.self, AppNetUser.self]
        #expect(types.map { String(reflecting: $0) }.prefix(2) == ["NIOCore.Channel", "Cosm.User"])
        #expect(User().isOfCosm && AppNetUser(id: AppNetUser.ID(1)).isOfAppNet)
        #expect(AppNetChannel(type: AppNetChannel.Kind.broadcast).type == .broadcast)
    }
}
