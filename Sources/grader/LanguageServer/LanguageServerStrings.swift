import Foundation
import Workbook

/// What the language server says in an editor, and why it ends.
enum LanguageServerKey: String, CaseIterable, Sendable {
    case notJSON = "lsp.notJSON"
    case notAMessage = "lsp.notAMessage"
    case unknownMethod = "lsp.unknownMethod"
    case badParameters = "lsp.badParameters"
    case notInitialized = "lsp.notInitialized"
    case isShutDown = "lsp.isShutDown"
    case noLength = "lsp.noLength"
    case tooLarge = "lsp.tooLarge"
    case closed = "lsp.closed"
    case nextHint = "lsp.nextHint"
    case brief = "lsp.brief"
    case reset = "lsp.reset"
    case nextKata = "lsp.nextKata"
    case approach = "lsp.approach"
    case saveToGrade = "lsp.saveToGrade"
    case noHint = "lsp.noHint"
    case noHintCompile = "lsp.noHintCompile"
    case noHintRejected = "lsp.noHintRejected"
    case noNext = "lsp.noNext"
    case wasReset = "lsp.wasReset"
    case notReset = "lsp.notReset"
    case buildingTests = "lsp.buildingTests"
    case compiling = "lsp.compiling"
    case running = "lsp.running"
    case lookingAgain = "lsp.lookingAgain"
}

extension LanguageServerKey: CatalogKey {
    static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("LanguageServer.xcstrings") }
}

typealias LanguageServerStrings = LocalizedStrings<LanguageServerKey>

extension LocalizedStrings where Key == LanguageServerKey {
    func message(of failure: RequestFailure) -> String {
        switch failure {
        case .notJSON: self(.notJSON)
        case .notAMessage: self(.notAMessage)
        case .unknownMethod(let method): self(.unknownMethod, .text(method))
        case .badParameters(let method): self(.badParameters, .text(method))
        case .notInitialized(let method): self(.notInitialized, .text(method))
        case .isShutDown(let method): self(.isShutDown, .text(method))
        }
    }

    func message(of failure: MessageFrames.Failure) -> String {
        switch failure {
        case .noLength(let found): self(.noLength, .text(found))
        case .tooLarge(let bytes, let limit): self(.tooLarge, .integer(bytes), .integer(limit))
        }
    }
}
