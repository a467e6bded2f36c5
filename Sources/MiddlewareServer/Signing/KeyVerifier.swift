internal import HeliumServerKit

/// Performs steps 4 to 12 of the key check, in the order and with the codes of the reference server
/// (Docs/Protocols/Middleware.md §1.5).
///
/// It performs no I/O; the only look-up in a store is the closure `device`.
struct KeyVerifier: Sendable {
    /// The maximum difference of a key's time stamp from the server's clock, in either direction.
    static let toleranceInMilliseconds = 300_000.0

    let secrets: [MiddlewareSecret]
    let staticKeys: [StaticAccessKey]
    /// The group of the routes.
    let group: String

    /// The identity that a valid key proves.
    enum Identity: Sendable {
        case device(DeviceRecord)
        case staticKey(StaticAccessKey)
    }

    /// Checks the value of a `key` header.
    ///
    /// - Parameters:
    ///   - key: The value of the header, not empty.
    ///   - request: The parts of the request that the signature covers.
    ///   - now: The server's clock in milliseconds.
    ///   - address: The client's numeric address, for static keys only.
    ///   - countsAsExpired: Makes step 6 fail whatever the time stamp is.
    ///   - device: Returns the record of a device id, which is compared as sent.
    /// - Throws: ``KeyFailure``, or the error of `device`.
    func verify(
        _ key: String,
        request: SignedRequest,
        now: Int64,
        address: String,
        countsAsExpired: Bool = false,
        device: (String) async throws -> DeviceRecord?
    ) async throws -> Identity {
        switch PresentedKey(key) {
        case .staticKey(let value):
            return .staticKey(try checkStatic(value, address: address))
        case .signed(let parts):
            try checkSigned(parts, request: request, now: now, countsAsExpired: countsAsExpired)
            guard let record = try await device(parts.deviceID) else { throw KeyFailure.deviceUnknown }
            guard record.status != .disabled else { throw KeyFailure.disabled }
            return .device(record)
        }
    }

    /// Performs steps 5 to 10.
    private func checkSigned(
        _ parts: PresentedKey.Parts,
        request: SignedRequest,
        now: Int64,
        countsAsExpired: Bool
    ) throws {
        guard parts.deviceID.utf16.count == 32, parts.secretID.utf16.count == 32,
            let seconds = ScriptNumber.parse(parts.timestamp)
        else { throw KeyFailure.invalid }
        guard !countsAsExpired, abs(seconds * 1000 - Double(now)) <= Self.toleranceInMilliseconds else {
            throw KeyFailure.expired
        }
        guard let secret = secrets.first(where: { $0.id == parts.secretID }) else { throw KeyFailure.invalid }
        guard secret.groups.contains(group) else { throw KeyFailure.otherGroup }
        guard secret.isEnabled else { throw KeyFailure.invalid }
        let presented = DefaultLowerCase.apply(to: parts.signature)
        let isGood = [request, request.withAbsoluteTarget].contains { request in
            let expected = request.signature(
                deviceID: parts.deviceID,
                secret: secret.secret,
                timestamp: parts.timestamp
            )
            return ConstantTime.areEqual(expected, presented)
        }
        guard isGood else { throw KeyFailure.invalid }
    }

    private func checkStatic(_ value: String, address: String) throws -> StaticAccessKey {
        // All keys are compared, so that the time taken does not reveal which part of a guess was right.
        let matches = staticKeys.filter { ConstantTime.areEqual($0.value, value) }
        guard let key = matches.first else { throw KeyFailure.invalid }
        guard key.isActive else { throw KeyFailure.disabled }
        guard key.groups.isEmpty || key.groups.contains(group) else { throw KeyFailure.otherGroup }
        guard !AddressBlock.contains(address, in: key.blockedAddresses),
            AddressBlock.contains(address, in: key.allowedAddresses)
        else { throw KeyFailure.address }
        return key
    }
}
