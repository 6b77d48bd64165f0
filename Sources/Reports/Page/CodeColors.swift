import Workbook

/// What is colored in a code as a page's script reads it: for each span, how far it is from the end of the one before, and its
/// length times eight plus its kind.
struct CodeColors: Encodable, Equatable {
    private let numbers: [Int]

    init(_ code: String) {
        var end = 0
        numbers = SyntaxSpan.all(in: code).flatMap { span in
            defer { end = span.range.upperBound }
            return [span.range.lowerBound - end, span.range.count * 8 + span.kind.rawValue]
        }
    }

    func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
}
