/// An answer that is written as an edit of another one, so that it shows what is wrong with it and nothing else.
///
/// The file begins as every known answer does, names the answer that it changes, and says what changes:
///
///     // mutant: forgets the error
///     // fails: …
///     --- Solutions/Sum/Sum.swift
///     @@
///      a line that stays
///     -a line that goes
///     +a line that comes
///
/// A piece begins with `@@`, and stands where the answer has its lines that stay and go. Line numbers are not needed: an
/// answer may change in other places, and the edit with it. What `diff -u` prints is an edit, too.
public struct AnswerEdit: Sendable, Equatable {
    private struct Piece: Equatable {
        var old: [Substring] = []
        var new: [Substring] = []
    }

    /// The first lines, which say what the edited answer is.
    private let header: [Substring]
    /// The file of the answer that is changed, in the workbook.
    public let answer: String
    private let pieces: [Piece]

    /// `nil` if it is not an edit.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        header = Array(lines.prefix { $0.hasPrefix("//") })
        var rest = lines.dropFirst(header.count)
        guard let first = rest.popFirst(), first.hasPrefix("--- ") else { return nil }
        answer = String(first.dropFirst(4).prefix { $0 != "\t" })
        if rest.last == "" { rest.removeLast() }
        var pieces: [Piece] = []
        for line in rest {
            if line.hasPrefix("@@") { pieces.append(Piece()) }
            if line.hasPrefix("@@") || line.hasPrefix("\\") || (pieces.isEmpty && line.hasPrefix("+++ ")) { continue }
            guard let kind = line.first, !pieces.isEmpty, " +-".contains(kind) else { return nil }
            if kind != "+" { pieces[pieces.count - 1].old.append(line.dropFirst()) }
            if kind != "-" { pieces[pieces.count - 1].new.append(line.dropFirst()) }
        }
        guard !pieces.isEmpty, !pieces.contains(where: { $0.old.isEmpty }) else { return nil }
        self.pieces = pieces
    }

    /// The edited answer; `nil` if a piece's lines do not stand in this one behind those of the piece before, or stand there
    /// twice.
    public func applied(to text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var rest = lines[...].drop { $0.hasPrefix("//") }
        var edited = header
        for piece in pieces {
            let count = piece.old.count
            let places = rest.indices.filter { rest[$0...].starts(with: piece.old) }
            guard places.count == 1, let place = places.first else { return nil }
            edited += rest[..<place] + piece.new
            rest = rest[(place + count)...]
        }
        return (edited + rest).joined(separator: "\n")
    }
}
