/// How a language writes numbers that the program computed. Numbers that belong to code are not its business.
public struct NumberStyle: Sendable, Equatable {
    public let language: Language

    public init(_ language: Language) { self.language = language }

    private var usesDecimalComma: Bool { language == .indonesian || language == .spanish }

    public func integer(_ value: Int) -> String {
        let digits = String(value.magnitude)
        // Spanish groups from five digits on.
        guard digits.count > (language == .spanish ? 4 : 3) else { return (value < 0 ? "-" : "") + digits }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += usesDecimalComma ? "." : "," }
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
        return sign + integer(whole) + (fraction.isEmpty ? "" : (usesDecimalComma ? "," : ".") + fraction)
    }

    /// `87%`, and `87 %` in Spanish.
    public func percent(_ share: Double) -> String {
        integer(Int((share * 100).rounded())) + (language == .spanish ? "\u{A0}%" : "%")
    }

    /// A span of time as a label: `0.6 s`, `0,6 detik`, `0.6초`.
    public func seconds(_ value: Double) -> String {
        let number = decimal(value, fractionDigits: value.magnitude < 1 ? 2 : 1)
        return switch language {
        case .english, .spanish: number + " s"
        case .indonesian: number + " detik"
        case .thai: number + " วินาที"
        case .korean: number + "초"
        case .chinese: number + " 秒"
        }
    }

    /// A moment on an axis of time: in milliseconds, and in seconds where those would be a row of zeros.
    public func moment(milliseconds value: Double) -> String {
        if value.magnitude >= 10_000 { return seconds(value / 1000) }
        let number = decimal(value)
        return switch language {
        case .english, .spanish, .indonesian: number + " ms"
        case .thai: number + " มิลลิวินาที"
        case .korean: number + "ms"
        case .chinese: number + " 毫秒"
        }
    }
}
