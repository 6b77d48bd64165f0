import Foundation
import TestSupport
import Testing
import Wire

@testable import Grading

/// The harness finds functions of KataSupport by their names.
struct SupportFunctionTests {
    @Test("KataSupport has every function that the harness asks for, and no other")
    func names() throws {
        let support = try SupportLibraries.locate(beside: try Program.executable)
        let exported = try support.objects.reduce(into: Set<String>()) { names, object in
            names.formUnion(try ObjectFile([UInt8](Data(contentsOf: object))).exported)
        }
        let named = exported.filter { $0.hasPrefix("kataSupport") }
        #expect(named == Set(SupportFunction.allCases.map(\.rawValue)))
    }
}
