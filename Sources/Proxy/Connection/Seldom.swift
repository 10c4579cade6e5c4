/// What few connections have at all: a connection without it pays for a pointer.
///
/// Thousands of connections wait with nothing to do, and each is as large as everything that one may come to hold. Not to be
/// copied: copies share the value.
@propertyWrapper struct Seldom<Value> {
    private final class Box {
        var value: Value?
        init(_ value: Value?) { self.value = value }
    }

    private var box: Box?

    init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    var wrappedValue: Value? {
        get { box?.value }
        set {
            if let box, newValue != nil { box.value = newValue } else { box = newValue.map(Box.init) }
        }
        _modify {
            if let box {
                defer { if box.value == nil { self.box = nil } }
                yield &box.value
            } else {
                var value: Value?
                // Also where the caller throws in between.
                defer { box = value.map(Box.init) }
                yield &value
            }
        }
    }
}

/// What many connections have the same of, and none changes.
final class SharedValue<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
