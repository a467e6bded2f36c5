extension UInt8 {
    /// Whether the byte may be in a token: a letter, a digit or one of ``!#$%&'*+-.^_`|~`` (RFC 9110 §5.6.2).
    @inline(__always)
    package var isTokenCharacter: Bool {
        guard self < 128 else { return false }
        let half: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return half &>> UInt64(self) & 1 == 1
    }
}
