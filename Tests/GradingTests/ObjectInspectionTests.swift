import Testing
import Workbook

@testable import Grading

@Suite("Which symbols an object may need and define")
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
        "Symbols that the compiler and honest code need are allowed",
        arguments: [
            "memcpy", "malloc", "swift_retain", "swift_task_create", "syscall", "__tls_get_addr", "sqrt", "getpid",
            "time",
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
        "Swift functions and types that reach the machine are refused",
        arguments: [
            "$ss11CommandLineO9argumentsSaySSGvgZ",  // CommandLine.arguments
            "$ss8readLine16strippingNewlineSSSgSb_tF",  // readLine
            "$s20FoundationEssentials11FileManagerC7defaultACvgZ",  // FileManager.default
            "$s11KataSupport6ValuesVMa",
            "$s8Dispatch0A11SpecificKeyCMa",  // type metadata accessor for DispatchSpecificKey
            "$ss13ManagedBufferCMn",  // nominal type descriptor for ManagedBuffer
            "$sScGMn",  // nominal type descriptor for TaskGroup
        ])
    func refusedInSwift(name: String) {
        #expect(inspection.rejection(object(needs: [name]))?.message.key == .rejectedSymbol)
    }

    @Test(
        "The checked types that replace them are allowed",
        arguments: ["$s7Checked19DispatchSpecificKeyCMa", "$s7Checked9TaskGroupVMn"])
    func checked(name: String) {
        #expect(inspection.rejection(object(needs: [name])) == nil)
    }

    @Test("A pointer, a format with unchecked arguments and an executor are refused, each for its own reason")
    func reasons() {
        let allocate = "$sSp8allocate8capacitySpyxGSi_tFZ"  // UnsafeMutablePointer.allocate
        #expect(inspection.rejection(object(needs: [allocate]))?.message.key == .rejectedUnsafe)
        let format = "$sSS10FoundationE6format_S2Sh_s7CVarArg_pdtcfC"  // String.init(format:_:)
        #expect(inspection.rejection(object(needs: [format]))?.message.key == .rejectedFormat)
        #expect(inspection.rejection(object(needs: ["$sScJMa"]))?.message.key == .rejectedExecutor)
    }

    @Test("What `withoutActuallyEscaping` needs when it runs is refused for a reason of its own")
    func escaping() {
        let name = "swift_isEscapingClosureAtFileLocation"
        #expect(inspection.rejection(object(needs: [name]))?.message == LocalizableMessage(.rejectedEscaping))
    }

    @Test("Library functions that turn numbers into objects for the compiler are refused")
    func builtins() {
        let name = "$ss13_bridgeObject8toNativeyXlBb_tF"
        #expect(
            inspection.rejection(object(needs: [name]))?.message == LocalizableMessage(.rejectedUnsafe, "_bridgeObject")
        )
    }

    @Test("A short symbol that expands to a very long name is refused, anywhere in the object")
    func longNames() throws {
        // f(_: Pair<Pair<…>, Pair<…>>), each of them the one before it twice
        let letters = (0..<15).map { "A" + String(UnicodeScalar(UInt8(ascii: "E") + UInt8($0))) + "G" }
        let name = "$s5Tally1fyyAA4PairVy" + String(repeating: "ADy", count: 15) + "S2iG" + letters.joined() + "F"
        let text = try #require(demangled(name))
        #expect(isShortened(text) && text.utf8.count < 1 << 15)
        #expect(inspection.rejection(object(needs: [name]))?.message.key == .rejectedSymbol)
        #expect(inspection.rejection(object(defines: [name]))?.message.key == .rejectedDefinition)
    }

    @Test("An inspection ends when its time is used up, and says so")
    func deadline() {
        let inspection = ObjectInspection(module: "Tally", seconds: 0)
        #expect(inspection.rejection(object(needs: ["memcpy"]))?.message == LocalizableMessage(.readingTimedOut, "0"))
    }

    @Test(
        "A symbol outside the submission's own module is refused",
        arguments: ["write", "main", "kataXCTests", "$s7Testing4TestVMa"])
    func definitions(name: String) {
        #expect(inspection.rejection(object(defines: [name]))?.message.key == .rejectedDefinition)
    }

    @Test(
        "A symbol of the submission's own module is allowed",
        arguments: ["$s5TallyAAC3addyySiF", "$s5Tally10firstValue2ofxScSyxG_tYaKs8SendableRzlF"])
    func ownDefinitions(name: String) {
        #expect(inspection.rejection(object(defines: [name])) == nil)
    }

    @Test(
        "A section that the loader or the linker acts on is refused",
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
        "Bytes that are not an object are reported as not an object",
        arguments: [[], [0x7F, 0x45], Array(repeating: 0xFF, count: 4096)] as [[UInt8]])
    func damage(bytes: [UInt8]) {
        #expect(throws: ObjectFile.Damage.notAnObject) { try ObjectFile(bytes) }
    }

    @Test("An object that is cut off anywhere is damaged, and does not crash the grader")
    func cut() throws {
        // The smallest object: a header with a number of sections, and no sections.
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

    @Test("A function of C that is used as a value is found, and one that is called is not")
    func cFunctionValues() {
        let value = object(needs: ["sin"], defines: ["$sSo3sinyS2dFTO", "$s5Tally4rootyS2dF"])
        #expect(ObjectInspection.cFunctionValues(in: value) == ["sin"])
        #expect(ObjectInspection.cFunctionValues(in: object(needs: ["sin", "$sSo3sinyS2dFTO"])) == [])
    }
}
