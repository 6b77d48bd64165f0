import Glibc

/// A symbol's name as a person would write it, by the runtime's own demangler; `nil` for what isn't Swift's.
func demangled(_ symbol: String) -> String? {
    typealias Demangle =
        @convention(c) (
            UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
        ) -> UnsafeMutablePointer<CChar>?
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("_T"),
        let function = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_demangle")
    else { return nil }
    let demangle = unsafeBitCast(function, to: Demangle.self)
    guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    let length = strlen(text)
    if length <= longestName { return String(cString: text) }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: longestName), as: UTF8.self) + shortened
}

/// A symbol of a few bytes can stand for a name without end, which says each of its parts over and over.
private let longestName = 1 << 14
private let shortened = "…"

/// Whether it is the beginning of a name only.
func isShortened(_ demangled: String) -> Bool { demangled.hasSuffix(shortened) }

/// The dotted names in a demangled text, such as `Foundation.Date.init`: what it speaks of, module first. The rest of a
/// name behind its generic arguments, as in `Swift.Task<A, B>.value`, comes with an empty module.
func dottedNames(_ demangled: String) -> [[Substring]] {
    var names: [[Substring]] = []
    let text = demangled.utf8
    func isPart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == 0x5F || byte == 0x24 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }
    var index = text.startIndex
    while index < text.endIndex {
        guard isPart(text[index]) else {
            index = text.index(after: index)
            continue
        }
        var parts: [Substring] = []
        if index > text.startIndex, text[text.index(before: index)] == UInt8(ascii: ".") { parts.append("") }
        while index < text.endIndex, isPart(text[index]) {
            let start = index
            while index < text.endIndex, isPart(text[index]) { index = text.index(after: index) }
            parts.append(demangled[start..<index])
            guard index < text.endIndex, text[index] == UInt8(ascii: ".") else { break }
            let next = text.index(after: index)
            guard next < text.endIndex, isPart(text[next]) else { break }
            index = next
        }
        names.append(parts)
    }
    return names
}

/// The path of the declaration that a demangled symbol belongs to, without its kind, types and labels: `Swift`, `Array`,
/// `subscript` of `(extension in Kata):Swift.Array< where A == Swift.Int>.subscript.getter : (Swift.Int) -> Swift.Int`.
func declarationPath(_ demangled: String) -> [Substring] {
    var text = ""
    var depth = 0
    var previous: Character = " "
    let opaque = "<<opaque return type of "
    for character in demangled.replacing(opaque, with: "").replacing(">>", with: demangled.contains(opaque) ? "" : ">>")
    {
        switch character {
        case "<", "(", "[": depth += 1
        case ">" where previous == "-": if depth == 0 { text.append(character) }
        case ">", ")", "]": depth -= 1
        default: if depth == 0 { text.append(character) }
        }
        previous = character
    }
    for end in [" : ", " -> ", " async", " throws"] {
        if let range = text.firstRange(of: end) { text = String(text[..<range.lowerBound]) }
    }
    let accessors: Set<Substring> = ["getter", "setter", "modify", "modify2", "read", "read2"]
    let name = text.split(separator: " ").last?.drop { $0 == ":" } ?? ""
    var path = name.split(separator: ".", omittingEmptySubsequences: false)
    if let last = path.last, accessors.contains(last) { path.removeLast() }
    return path
}
