import Foundation
import Workbook

/// What changes how a command works: what help says of it, and what it sets in a request.
///
/// Each is a row in `Options.swift`. An option that another command takes differently has a row of its own there: options
/// are the same where their names are.
struct Option: Sendable {
    typealias Request = CommandLineRequest
    typealias Mistake = CommandLineRequest.Mistake
    typealias Field<Value> = WritableKeyPath<Request, Value> & Sendable

    /// What the value of an option is, for a line of help and for a shell that completes it.
    enum Value: Equatable, Sendable {
        case none
        /// One of these.
        case words([String])
        case folder
        case file
        /// Something that cannot be completed, and what stands for it.
        case text(String)

        /// What stands for it in a line of help.
        var placeholder: String? {
            switch self {
            case .none: nil
            case .words(let words): words.joined(separator: "|")
            case .folder: "FOLDER"
            case .file: "FILE"
            case .text(let placeholder): placeholder
            }
        }
    }

    let name: String
    let value: Value
    let summary: MessageKey
    /// A value that would be understood, where a wrong one was typed.
    let example: String
    /// Whether the value may be without a letter.
    let mayBeEmpty: Bool
    private let set: @Sendable (Option, String, inout Request) throws(Mistake) -> Void

    /// Sets in the request what the option asks for; the text is empty where it has no value.
    func take(_ text: String, into request: inout Request) throws(Mistake) { try set(self, text, &request) }

    /// As a command line shows it: `--seed N`.
    var typed: String { value.placeholder.map { "\(name) \($0)" } ?? name }

    init(
        _ name: String, _ value: Value, example: String? = nil, mayBeEmpty: Bool = false, _ summary: MessageKey,
        set: @escaping @Sendable (Option, String, inout Request) throws(Mistake) -> Void = { _, _, _ in }
    ) {
        self.name = name
        self.value = value
        self.summary = summary
        self.example = example ?? value.placeholder ?? ""
        self.mayBeEmpty = mayBeEmpty
        self.set = set
    }

    /// An option without a value, which gives one to the field.
    init<Value: Sendable>(_ name: String, _ summary: MessageKey, _ field: Field<Value>, _ value: Value) {
        self.init(name, .none, summary) { _, _, request in request[keyPath: field] = value }
    }

    /// An option whose value is read from what was typed.
    ///
    /// - Parameter mistake: what is wrong where it cannot be read.
    init<Content>(
        _ name: String, _ value: Value, example: String? = nil, mayBeEmpty: Bool = false, _ summary: MessageKey,
        _ field: Field<Content?>, read: @escaping @Sendable (String) -> Content?,
        else mistake: @escaping @Sendable (Option, String) -> Mistake = { .valueNotUnderstood($0, $1) }
    ) {
        self.init(name, value, example: example, mayBeEmpty: mayBeEmpty, summary) {
            (option, text, request) throws(Mistake) in
            guard let content = read(text) else { throw mistake(option, text) }
            request[keyPath: field] = content
        }
    }

    /// An option whose value is the text that was typed.
    init(_ name: String, _ value: Value, _ summary: MessageKey, _ field: Field<String?>) {
        self.init(name, value, summary, field, read: { $0 })
    }

    /// An option whose value is a number.
    init(
        _ name: String, _ placeholder: String, _ range: ClosedRange<Int>, example: Int, _ summary: MessageKey,
        _ field: Field<Int?>
    ) {
        self.init(
            name, .text(placeholder), example: String(example), summary, field,
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } },
            else: { .numberNotUnderstood($0, $1, range) })
    }

    /// An option whose value is a list with commas.
    init(list name: String, _ value: Value, _ summary: MessageKey, _ field: Field<[String]>) {
        self.init(name, value, summary) { (option, text, request) throws(Mistake) in
            let list = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            guard !list.isEmpty else { throw .missingValue(option) }
            request[keyPath: field] = list
        }
    }

    init?(named name: String) {
        guard let option = Self.all.first(where: { $0.name == name }) else { return nil }
        self = option
    }

    static func nearest(to name: String) -> Option? {
        NearestName(to: name, among: all.map(\.name)).name.flatMap(Option.init(named:))
    }
}

extension Option: Equatable {
    static func == (one: Option, other: Option) -> Bool { one.name == other.name }
}
