import Testing
import Workbook

@testable import Grading

@Suite("All submissions that are graded at the same time fit in the memory")
struct AvailableMemoryTests {
    static func megabytes(_ files: [String: String], physical: Int = 64_000) -> Int {
        AvailableMemory.megabytes(physical: physical) { files[$0] }
    }

    @Test("The free memory counts, or all memory if the system does not report the free memory")
    func free() {
        #expect(Self.megabytes([:]) == 64_000)
        #expect(Self.megabytes(["/proc/meminfo": "MemTotal: 99 kB\nMemAvailable:   20480000 kB\n"]) == 20_000)
    }

    @Test("The memory that a control group and its parents may still use counts too")
    func groups() {
        let second = ["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n"]
        #expect(Self.megabytes(second) == 64_000)
        let limited = second.merging([
            "/sys/fs/cgroup/a/memory.max": "\(9 << 30)\n", "/sys/fs/cgroup/a/memory.current": "\(1 << 30)\n",
        ]) { $1 }
        #expect(Self.megabytes(limited) == 8 << 10)
        #expect(Self.megabytes(limited.merging(["/sys/fs/cgroup/memory.max": "\(4 << 30)"]) { $1 }) == 4 << 10)
        let first = [
            "/proc/self/cgroup": "5:cpu:/x\n4:hugetlb,memory:/job\n",
            "/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "\(2 << 30)",
        ]
        #expect(Self.megabytes(first) == 2 << 10)
        #expect(Self.megabytes(["/proc/self/cgroup": "0::/"].merging(["/sys/fs/cgroup/memory.max": "3"]) { $1 }) == 0)
    }

    @Test("As many jobs run as fit in the memory, and at least one")
    func jobs() {
        var limits = Limits()
        limits.memoryMegabytes = 1000
        limits.compileMegabytes = 1488
        #expect(limits.jobs(wanted: 16, within: 8000) == 4)
        #expect(limits.jobs(wanted: 2, within: 8000) == 2)
        #expect(limits.jobs(wanted: 16, within: 100) == 1)
    }
}
