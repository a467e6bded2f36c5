internal import HeliumServerKit

/// Steps 4 to 12 of the key check, in the server's order with its codes (§1.5).
///
/// The decisions take values and no I/O; the one look-up in a store is the closure `device`.
struct KeyVerifier: Sendable {
    /// The farthest a key's time stamp may be from the server's clock, in either direction.
    static let toleranceInMilliseconds = 300_000.0

    let secrets: [MiddlewareSecret]
    let staticKeys: [StaticAccessKey]
    /// The group of the routes.
    let group: String

    /// What a good key turned out to be.
    enum Identity: Sendable {
        case device(DeviceRecord)
        case staticKey(StaticAccessKey)
    }

    /// Checks the value of a `key` header.
    ///
    /// - Parameters:
    ///   - key: the header's value, not empty
    ///   - request: what the signature covers
    ///   - now: the server's clock in milliseconds
    ///   - address: the client's, in numbers; for static keys only
    ///   - countsAsExpired: makes step 6 fail whatever the time stamp says
    ///   - device: the record of a device id, compared as sent
    /// - Throws: ``KeyFailure``, or what `device` throws.
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

    /// Steps 5 to 10.
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
        // All keys are compared, so that the time taken does not tell how far a guess got.
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
