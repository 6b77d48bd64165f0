import Testing
import Workbook

@testable import Grading

@Suite("What an object may need and define")
struct ObjectInspectionTests {
    let inspection = ObjectInspection(module: "Tally")

    func object(needs: [String] = [], defines: [String] = [], sections: [String] = [".text"]) -> ObjectFile {
        var object = ObjectFile(sections: sections, symbols: [])
        object.symbols += needs.map { ObjectFile.Symbol(name: $0, binding: .global, section: nil) }
        object.symbols += defines.map { ObjectFile.Symbol(name: $0, binding: .global, section: 1) }
        return object
    }

    @Test(
        "C functions that reach the machine are refused",
        arguments: [
            "exit", "_exit", "write", "open", "dlsym", "fork", "kill", "socket", "ptrace", "mmap", "getenv", "system",
            "anything",
        ])
    func refusedInC(name: String) {
        #expect(inspection.rejection(object(needs: [name]))?.message == LocalizableMessage(.rejectedSymbol, name))
    }

    @Test(
        "What the compiler and honest code need is not",
        arguments: [
            "memcpy", "malloc", "swift_retain", "swift_task_create", "syscall", "__tls_get_addr", "sqrt",
            "clock_gettime",
            "$ss5print_9separator10terminatoryypd_S2StF",  // print(_:separator:terminator:)
            "$s20FoundationEssentials4DateVACycfC",  // Date.init()
            "$s10Foundation6NSLockCMa",  // type metadata accessor for NSLock
            "$sScTss5Error_pRs_rlE5valuexvg",  // Task<A, Error>.value
            "$sSa28_allocateBufferUninitialized15minimumCapacitys06_ArrayB0VyxGSi_tFZ",
        ])
    func allowed(name: String) {
        #expect(inspection.rejection(object(needs: [name])) == nil)
    }

    @Test(
        "Swift's own ways out are refused",
        arguments: [
            "$ss11CommandLineO9argumentsSaySSGvgZ",  // CommandLine.arguments
            "$ss8readLine16strippingNewlineSSSgSb_tF",  // readLine
            "$sSp8allocate8capacitySpyxGSi_tFZ",  // UnsafeMutablePointer.allocate
            "$s20FoundationEssentials11FileManagerC7defaultACvgZ",  // FileManager.default
            "$s11KataSupport6ValuesVMa",
        ])
    func refusedInSwift(name: String) {
        #expect(inspection.rejection(object(needs: [name]))?.message.key == .rejectedSymbol)
    }

    @Test(
        "A symbol outside the submission's own module is refused",
        arguments: ["write", "main", "kataXCTests", "$s7Testing4TestVMa"])
    func definitions(name: String) {
        #expect(inspection.rejection(object(defines: [name]))?.message.key == .rejectedDefinition)
    }

    @Test(
        "A symbol of its own is not",
        arguments: ["$s5TallyAAC3addyySiF", "$s5Tally10firstValue2ofxScSyxG_tYaKs8SendableRzlF"])
    func ownDefinitions(name: String) {
        #expect(inspection.rejection(object(defines: [name])) == nil)
    }

    @Test(
        "A section that the loader or the linker acts upon is refused",
        arguments: [
            ".init_array", ".init_array.1", ".ctors", ".fini_array", ".preinit_array", ".deplibs", "swift5_tests",
            ".mine",
        ])
    func sections(name: String) {
        #expect(
            inspection.rejection(object(sections: [".text", name]))?.message
                == LocalizableMessage(.rejectedSection, name))
    }

    @Test(
        "Bytes that are no object are said to be none",
        arguments: [[], [0x7F, 0x45], Array(repeating: 0xFF, count: 4096)] as [[UInt8]])
    func damage(bytes: [UInt8]) {
        #expect(throws: ObjectFile.Damage.notAnObject) { try ObjectFile(bytes) }
    }

    @Test("An object cut anywhere is damage, never a crash")
    func cut() throws {
        // The smallest object there is: a header that says there are sections where there are none.
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        bytes[16] = 1
        bytes[40] = 64
        bytes[58] = 64
        bytes[60] = 3
        for count in 0...64 {
            #expect(throws: ObjectFile.Damage.notAnObject) { try ObjectFile(Array(bytes[..<count])) }
        }
    }
}
