/// How a language writes the numbers that the program computed. Numbers in code are left as they are.
public struct NumberStyle: Sendable, Equatable {
    public let language: Language

    public init(_ language: Language) { self.language = language }

    public func integer(_ value: Int) -> String {
        let digits = String(value.magnitude)
        guard digits.count > language.digitsBeforeGrouping else { return (value < 0 ? "-" : "") + digits }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += language.groupSeparator }
            grouped.append(digit)
        }
        return (value < 0 ? "-" : "") + grouped
    }

    /// At most `fractionDigits` of them, and none that are only zeros: `2`, `0.6`, `1,234.5`.
    public func decimal(_ value: Double, fractionDigits: Int = 2) -> String {
        var scale = 1.0
        for _ in 0..<fractionDigits { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled.isFinite, scaled < 1e15 else { return "\(value)" }
        let whole = Int(scaled / scale)
        var fraction = String(Int(scaled) - whole * Int(scale))
        fraction = String(repeating: "0", count: fractionDigits - fraction.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + integer(whole) + (fraction.isEmpty ? "" : language.decimalSeparator + fraction)
    }

    /// `87%`, and `87 %` in Spanish.
    public func percent(_ share: Double) -> String {
        integer(Int((share * 100).rounded())) + language.percentSign
    }

    /// A span of time as a label: `0.6 s`, `0,6 detik`, `0.6초`.
    public func seconds(_ value: Double) -> String {
        decimal(value, fractionDigits: value.magnitude < 1 ? 2 : 1) + language.secondsUnit
    }

    /// A moment on an axis of time: in milliseconds, and in seconds where those would be a row of zeros.
    public func moment(milliseconds value: Double) -> String {
        if value.magnitude >= 10_000 { return seconds(value / 1000) }
        return decimal(value) + language.millisecondsUnit
    }
}
