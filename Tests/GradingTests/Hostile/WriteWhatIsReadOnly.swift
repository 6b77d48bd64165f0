// Tries: to make pages of code and of bound addresses writable, to remove them and to map others in their place
// Allowed: rejected
import Foundation

private func isOpen() -> Bool {
    typealias Print = @convention(c) (UnsafePointer<CChar>) -> Int32
    let code = UInt(bitPattern: unsafeBitCast(puts as Print, to: UnsafeRawPointer.self))
    let page = UnsafeMutableRawPointer(bitPattern: code & ~0xFFF)
    let size = 0x1000
    return mprotect(page, size, PROT_READ | PROT_WRITE) == 0
        // From a page before it, and from far away.
        || page.map { mprotect($0 - size, 2 * size, PROT_READ | PROT_WRITE) == 0 } == true
        || mmap(page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED
        || madvise(page, size, MADV_DONTNEED) == 0
        || munmap(UnsafeMutableRawPointer(bitPattern: 0x1000), Int(code)) == 0
}

public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += isOpen() ? number : 0 }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
