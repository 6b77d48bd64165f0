/// What an ELF object says about itself: enough to know what it needs and what it defines.
struct ObjectFile: Equatable {
    struct Symbol: Hashable {
        enum Binding: UInt8 { case local, global, weak }
        var name: String
        var binding: Binding
        /// The index of its section; `nil` where it is not defined here.
        var section: Int?
    }

    var sections: [String]
    var symbols: [Symbol]
    /// The functions that are called as the image is loaded, or the sections that they are in.
    var initializers: [String] = []
    /// Where the names of its symbols stand in the file.
    var names: Range<Int> = 0..<0

    var undefined: Set<String> { Set(symbols.lazy.filter { $0.section == nil }.map(\.name)) }
    /// What other objects can link with.
    var exported: Set<String> { Set(symbols.lazy.filter { $0.section != nil && $0.binding != .local }.map(\.name)) }

    enum Damage: Error { case notAnObject, tooSlow }

    init(sections: [String], symbols: [Symbol]) {
        self.sections = sections
        self.symbols = symbols
    }

    /// Reads a 64-bit little-endian relocatable ELF file.
    init(_ bytes: [UInt8], until deadline: ContinuousClock.Instant? = nil) throws(Damage) {
        var reader = Reader(bytes: bytes)
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), try reader.half(16) == 1 else { throw .notAnObject }
        let table = try reader.word64(40)
        let entrySize = try reader.half(58)
        var count = try reader.half(60)
        var namesIndex = try reader.half(62)
        guard table > 0, entrySize == 64 else { throw .notAnObject }
        // More sections than the header has room for are counted in the first section's own fields.
        if count == 0 { count = try reader.word64(table + 32) }
        if namesIndex == 0xFFFF { namesIndex = try reader.word32(table + 40) }
        guard count <= 1 << 20 else { throw .notAnObject }

        struct Header {
            var name: Int, type: Int, offset: Int, size: Int, link: Int
        }
        var headers: [Header] = []
        for index in 0..<count {
            let start = table + index * entrySize
            headers.append(
                Header(
                    name: try reader.word32(start), type: try reader.word32(start + 4),
                    offset: try reader.word64(start + 24), size: try reader.word64(start + 32),
                    link: try reader.word32(start + 40)))
        }
        guard headers.indices.contains(namesIndex) else { throw .notAnObject }
        sections = []
        for header in headers { sections.append(try reader.string(headers[namesIndex].offset + header.name)) }

        symbols = []
        for (header, section) in zip(headers, sections) where section.hasPrefix(".rela.init_array") {
            guard headers.indices.contains(header.link), headers.indices.contains(headers[header.link].link) else {
                throw .notAnObject
            }
            let (table, strings) = (headers[header.link].offset, headers[headers[header.link].link].offset)
            for start in stride(from: header.offset, to: header.offset + header.size, by: 24) {
                let symbol = table + 24 * (try reader.word32(start + 12))
                let name = try reader.string(strings + reader.word32(symbol))
                let place = try reader.half(symbol + 6)
                initializers.append(name.isEmpty && sections.indices.contains(place) ? sections[place] : name)
            }
        }
        for header in headers where header.type == 2 {
            guard headers.indices.contains(header.link) else { throw .notAnObject }
            let strings = headers[header.link].offset
            names = strings..<min(strings + headers[header.link].size, bytes.count)
            for start in stride(from: header.offset + 24, to: header.offset + header.size, by: 24) {
                if symbols.count.isMultiple(of: 1024), let deadline, ContinuousClock.now >= deadline { throw .tooSlow }
                let info = try reader.byte(start + 4)
                let type = info & 15
                if type == 3 || type == 4 { continue }  // a section's or a file's own entry
                let binding: Symbol.Binding =
                    switch info >> 4 {
                    case 0: .local
                    case 2: .weak
                    default: .global
                    }
                let section = try reader.half(start + 6)
                let name = try reader.string(strings + reader.word32(start))
                symbols.append(Symbol(name: name, binding: binding, section: section == 0 ? nil : section))
            }
        }
    }

    /// Reads little-endian numbers; nothing outside the bytes.
    private struct Reader {
        let bytes: [UInt8]

        func byte(_ offset: Int) throws(Damage) -> Int {
            guard bytes.indices.contains(offset) else { throw .notAnObject }
            return Int(bytes[offset])
        }
        private func number(_ offset: Int, _ size: Int) throws(Damage) -> Int {
            guard offset >= 0, offset <= bytes.count - size else { throw .notAnObject }
            var value: UInt64 = 0
            for index in stride(from: size - 1, through: 0, by: -1) {
                value = value << 8 | UInt64(bytes[offset + index])
            }
            guard let number = Int(exactly: value), number < 1 << 40 else { throw .notAnObject }
            return number
        }
        mutating func half(_ offset: Int) throws(Damage) -> Int { try number(offset, 2) }
        mutating func word32(_ offset: Int) throws(Damage) -> Int { try number(offset, 4) }
        mutating func word64(_ offset: Int) throws(Damage) -> Int { try number(offset, 8) }
        mutating func string(_ offset: Int) throws(Damage) -> String {
            guard bytes.indices.contains(offset), let end = bytes[offset...].firstIndex(of: 0) else {
                throw .notAnObject
            }
            return String(decoding: bytes[offset..<end], as: UTF8.self)
        }
    }
}
