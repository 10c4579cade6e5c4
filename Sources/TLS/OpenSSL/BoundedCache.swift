/// A dictionary that holds so many entries and then forgets the oldest.
struct BoundedCache<Key: Hashable, Value> {
    let limit: Int
    private var values: [Key: Value] = [:]
    /// Keys by age in a ring: `next` is the oldest once the ring is full.
    private var ages: [Key] = []
    private var next = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { values.count }

    /// Setting a key again replaces its value and keeps its age.
    subscript(key: Key) -> Value? { values[key] }

    mutating func set(_ key: Key, _ value: Value) {
        if values.updateValue(value, forKey: key) != nil { return }
        if ages.count < limit {
            ages.append(key)
        } else {
            values[ages[next]] = nil
            ages[next] = key
            next = (next + 1) % limit
        }
    }
}
