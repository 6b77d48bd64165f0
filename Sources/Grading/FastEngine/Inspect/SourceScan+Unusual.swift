import Workbook

extension SourceScan {
    /// Modules of the C library. Foundation has all that a kata needs of them.
    private static let cModules: Set<String> = ["Glibc", "Musl", "Darwin"]
    /// Names by which numbers become other types, and types become sizes.
    private static let bits: Set<String> = ["bitPattern", "MemoryLayout"]

    /// What is unusual about the name or number that was just read: no answer that is known to be right has it, and code that
    /// looks for places in memory does.
    func reasonToLook(at name: String) -> LocalizableMessage? {
        if let module = importedModule(name), Self.cModules.contains(module) {
            return LocalizableMessage(.lookCModule, module)
        }
        if Self.bits.contains(name) { return LocalizableMessage(.lookBits, name) }
        let isFraction = last == "." && beforeLast?.first?.isNumber == true
        return !isFraction && Self.isUnusual(number: name) ? LocalizableMessage(.lookNumber, name) : nil
    }

    /// Whether it is a large number that is not round: a million is round, an address is not.
    static func isUnusual(number text: String) -> Bool {
        guard text.first?.isNumber == true, text.utf8.count <= 100 else { return false }
        let digits = text.filter { $0 != "_" }
        let radix = ["0x": 16, "0o": 8, "0b": 2][digits.prefix(2)]
        // What does not fit is larger still, or no integer: 1e300.
        guard let value = UInt64(radix == nil ? digits : String(digits.dropFirst(2)), radix: radix ?? 10) else {
            return digits.dropFirst(radix == nil ? 0 : 2).allSatisfy(\.isHexDigit) && radix != nil
        }
        var rest = value
        while radix == nil, rest > 0, rest % 10 == 0 { rest /= 10 }
        return rest >= 1 << 16
    }
}
