// Tries: to change an address by which a library calls another one, in a page that holds variables too
// Allowed: rejected
import Foundation

private let changed: Void = {
    guard let list = dlsym(nil, "_r_debug")?.assumingMemoryBound(to: r_debug.self) else { return }
    var next = list.pointee.r_map
    while let map = next {
        next = map.pointee.l_next
        guard String(cString: map.pointee.l_name).hasSuffix("libTesting.so") else { continue }
        var (table, size) = (0 as UInt, 0)
        var entry = map.pointee.l_ld
        while let current = entry, current.pointee.d_tag != 0 {
            if current.pointee.d_tag == 23 { table = UInt(current.pointee.d_un.d_ptr) }
            if current.pointee.d_tag == 2 { size = Int(current.pointee.d_un.d_val) }
            entry = current + 1
        }
        guard let relocation = UnsafePointer<Elf64_Rela>(bitPattern: table) else { continue }
        // One that is not called any more.
        let slot = UInt(map.pointee.l_addr) + UInt((relocation + size / 24 - 1).pointee.r_offset)
        UnsafeMutablePointer<UInt>(bitPattern: slot)?.pointee += 1
    }
}()

public actor Tally {
    public private(set) var total = 0
    public init() { _ = changed }
    public func add(_ number: Int) { total += number }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
