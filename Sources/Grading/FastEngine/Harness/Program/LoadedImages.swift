// The programs and libraries that are in memory when the suite begins. What is read-only by then stays so, and the addresses
// by which libraries call each other stay what they are.
import Glibc

struct LoadedImages {
    /// Pages of code, of constants and of addresses that are bound already.
    private(set) var readOnly: [Range<UInt>] = []
    /// Addresses that are bound and lie in pages which hold variables too, as most libraries of the toolchain have them.
    private var slots: [UnsafeRawBufferPointer] = []
    /// What they have to be, in pages that cannot be written either.
    private var copy = UnsafeRawBufferPointer(start: nil, count: 0)

    /// Looks at all that is loaded now; `nil` where the system does not tell.
    init?() {
        guard let list = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "_r_debug") else { return nil }
        var next = list.assumingMemoryBound(to: r_debug.self).pointee.r_map
        while let map = next {
            add(map.pointee)
            next = map.pointee.l_next
        }
        guard keepCopy() else { return nil }
    }

    private mutating func add(_ map: link_map) {
        let base = UInt(map.l_addr)
        guard let header = UnsafePointer<Elf64_Ehdr>(bitPattern: base),
            let programs = UnsafePointer<Elf64_Phdr>(bitPattern: base + UInt(header.pointee.e_phoff))
        else { return }
        var bound: Range<UInt> = 0..<0
        for index in 0..<Int(header.pointee.e_phnum) {
            let part = programs[index]
            let start = base + UInt(part.p_vaddr)
            let pages = start & ~0xFFF..<(start + UInt(part.p_memsz) + 0xFFF) & ~0xFFF
            let isLoadedReadOnly = part.p_type == 1 && part.p_flags & 2 == 0
            if part.p_type == 0x6474_E552 { bound = pages.lowerBound..<(start + UInt(part.p_memsz)) & ~0xFFF }
            if isLoadedReadOnly { readOnly.append(pages) }
        }
        if !bound.isEmpty { readOnly.append(bound) }

        var (table, size): (UInt, UInt) = (0, 0)
        var entry = map.l_ld
        while let current = entry, current.pointee.d_tag != 0 {
            if current.pointee.d_tag == 23 { table = UInt(current.pointee.d_un.d_ptr) }
            if current.pointee.d_tag == 2 { size = UInt(current.pointee.d_un.d_val) }
            entry = current + 1
        }
        guard let start = UnsafePointer<Elf64_Rela>(bitPattern: table) else { return }
        let relocations = UnsafeBufferPointer(start: start, count: Int(size) / MemoryLayout<Elf64_Rela>.size)
        let addresses = relocations.map { base + UInt($0.r_offset) }
        guard let first = addresses.min(), let last = addresses.max(), !bound.contains(last) else { return }
        slots.append(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: first), count: Int(last - first) + 8))
    }

    private mutating func keepCopy() -> Bool {
        let count = slots.reduce(0) { $0 + $1.count }
        guard let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { return false }
        var place = memory
        for slots in slots {
            place.copyMemory(from: slots.baseAddress ?? UnsafeRawPointer(place), byteCount: slots.count)
            place += slots.count
        }
        copy = UnsafeRawBufferPointer(start: memory, count: count)
        let start = UInt(bitPattern: memory)
        readOnly.append(start..<(start + UInt(count) + 0xFFF) & ~0xFFF)
        readOnly = Self.merged(readOnly)
        return mprotect(memory, count, PROT_READ) == 0
    }

    private static func merged(_ ranges: [Range<UInt>]) -> [Range<UInt>] {
        var merged: [Range<UInt>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Whether no address has changed.
    var isIntact: Bool {
        var place = copy.baseAddress
        for slots in slots {
            guard let address = slots.baseAddress, let kept = place, memcmp(address, kept, slots.count) == 0 else {
                return false
            }
            place = kept + slots.count
        }
        return true
    }
}

/// The filter of system calls that keeps these pages as they are: nothing writes, replaces or removes them.
func filter(keeping readOnly: [Range<UInt>]) -> [SocketFilter] {
    typealias Code = SocketFilter
    let (allow, refuse) = (
        Code(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: 0x7FFF_0000),
        Code(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: 0x0005_0000 | UInt32(EPERM))
    )
    func load(_ offset: UInt32) -> Code { Code(code: 0x20, jumpTrue: 0, jumpFalse: 0, constant: offset) }
    func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }
    /// Goes on below if the condition holds, and `skip` instructions further if not.
    func ifEqual(_ value: UInt32, else skip: UInt8) -> Code {
        Code(code: 0x15, jumpTrue: 0, jumpFalse: skip, constant: value)
    }
    func ifGreater(_ value: UInt32, then jump: UInt8, else skip: UInt8) -> Code {
        Code(code: 0x25, jumpTrue: jump, jumpFalse: skip, constant: value)
    }
    func ifAtLeast(_ value: UInt32, then jump: UInt8, else skip: UInt8) -> Code {
        Code(code: 0x35, jumpTrue: jump, jumpFalse: skip, constant: value)
    }
    func ifAnyBit(_ bits: UInt32, then jump: UInt8, else skip: UInt8) -> Code {
        Code(code: 0x45, jumpTrue: jump, jumpFalse: skip, constant: bits)
    }
    func keep(_ place: UInt32) -> Code { Code(code: 0x02, jumpTrue: 0, jumpFalse: 0, constant: place) }
    func fetch(_ place: UInt32) -> Code { Code(code: 0x60, jumpTrue: 0, jumpFalse: 0, constant: place) }
    let toX = Code(code: 0x07, jumpTrue: 0, jumpFalse: 0, constant: 0)
    let addX = Code(code: 0x0C, jumpTrue: 0, jumpFalse: 0, constant: 0)

    var program = [load(0)]
    // Nothing may be mapped or moved to an address of choice.
    for (call, bit) in [(callMmap, UInt32(0x10)), (callMremap, UInt32(2))] {
        program += [
            ifEqual(call, else: 4), load(argument(3)), ifAnyBit(bit, then: 0, else: 1), refuse, load(0),
        ]
    }
    for (index, call) in callsOnMemory.enumerated() {
        let rest = UInt8(callsOnMemory.count - index)
        program.append(Code(code: 0x15, jumpTrue: rest, jumpFalse: 0, constant: call))
    }
    program.append(allow)
    // The first address in 0 (lower half) and 1, and the one behind the last in 2 and 3.
    program += [
        load(argument(0) + 4), keep(1), load(argument(1) + 4), toX, fetch(1), addX, keep(3),
        load(argument(0)), keep(0), toX, load(argument(1)), addX, keep(2),
        // If the sum of the lower halves is less than one of them, one is carried.
        Code(code: 0x3D, jumpTrue: 3, jumpFalse: 0, constant: 0), fetch(3),
        Code(code: 0x04, jumpTrue: 0, jumpFalse: 0, constant: 1), keep(3),
    ]
    for range in readOnly {
        let (start, end) = (UInt64(range.lowerBound), UInt64(range.upperBound))
        let (startLow, startHigh) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: start >> 32))
        let (endLow, endHigh) = (UInt32(truncatingIfNeeded: end), UInt32(truncatingIfNeeded: end >> 32))
        program += [
            // Begins at the range's end or beyond: another range.
            fetch(1), ifGreater(endHigh, then: 9, else: 0), ifEqual(endHigh, else: 2),
            fetch(0), ifAtLeast(endLow, then: 6, else: 0),
            // Ends before the range begins: another range.
            fetch(3), ifGreater(startHigh, then: 3, else: 0), ifEqual(startHigh, else: 3),
            fetch(2), ifGreater(startLow, then: 0, else: 1), refuse,
        ]
    }
    return program + [allow]
}
