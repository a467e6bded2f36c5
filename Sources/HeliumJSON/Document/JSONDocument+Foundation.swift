internal import HeliumEssentials

extension JSONDocument {
    func date(at index: Int) throws -> Date {
        if readsRFC3339, word(index).kind == .plainString, let instant = RFC3339.instant(in: text(word(index))) {
            return instant.date
        }
        switch options.dates.storage {
        case .rules(let rules):
            return try date(at: index, by: rules)
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try double(at: index))
        case .formatted(let read):
            guard word(index).isString else { throw mismatch(Date.self, at: index) }
            let text = string(word(index))
            if let date = read(text) { return date }
            throw corrupted("\(DateRule.Source.text(text).excerpt) is not a date in the formatter's format", at: index)
        case .custom(let read):
            return try read(TapeDecoder(document: self, index: index))
        }
    }

    private func date(at index: Int, by rules: [DateRule]) throws -> Date {
        let word = word(index)
        if word.kind == .plainString {
            let text = text(word)
            for rule in rules {
                if let date = rule.date(fromUTF8: text) { return date }
            }
        }
        let source: DateRule.Source
        if word.isString {
            source = .text(string(word))
        } else if word.isNumber {
            let whole = word.kind == .integer ? try? integer(at: index, as: Int64.self) : nil
            source = try whole.map(DateRule.Source.integer) ?? .number(double(at: index))
        } else {
            throw mismatch(Date.self, at: index)
        }
        for rule in rules {
            if let date = rule.date(from: source) { return date }
        }
        let names = rules.map(\.description).joined(separator: ", ")
        throw corrupted("\(source.excerpt) is not a date in the formats: \(names)", at: index)
    }

    func data(at index: Int) throws -> Data {
        switch options.data {
        case .deferredToData:
            return try Data(from: TapeDecoder(document: self, index: index))
        case .base64:
            guard word(index).isString else { throw mismatch(Data.self, at: index) }
            if let data = Data(base64Encoded: string(word(index))) { return data }
            throw corrupted("the string is not valid Base64", at: index)
        case .custom(let read):
            return try read(TapeDecoder(document: self, index: index))
        }
    }

    func url(at index: Int) throws -> URL {
        guard word(index).isString else { throw mismatch(URL.self, at: index) }
        if let url = URL(string: string(word(index))) { return url }
        throw corrupted("the string is not a valid URL", at: index)
    }

    func decimal(at index: Int) throws -> Decimal {
        guard word(index).isNumber else { throw mismatch(Decimal.self, at: index) }
        let text = String(decoding: text(word(index)), as: UTF8.self)
        if let value = Decimal(string: text, locale: Self.plainLocale) { return value }
        throw corrupted("the number does not fit Decimal", at: index)
    }

    private static let plainLocale = Locale(identifier: "en_US_POSIX")
}
