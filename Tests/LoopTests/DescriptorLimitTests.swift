import Loop
import Testing

@Test("the limit is raised once, to what the system allows and no further than is of use")
func descriptorLimit() {
    let limit = DescriptorLimit.raise()
    #expect(limit > 0)
    #expect(DescriptorLimit.raise() == limit)
    // Never lowered, and 65,536 unless the hard limit is smaller or somebody asked for more.
    #expect(DescriptorLimit.raise() >= limit)
}

@Test("what is needed is compared with what is allowed, and the error says both")
func descriptorsNeeded() throws {
    let limit = DescriptorLimit.raise()
    try DescriptorLimit.require(limit)
    #expect(throws: DescriptorShortage(needed: limit + 1, limit: limit)) { try DescriptorLimit.require(limit + 1) }
    #expect(
        DescriptorShortage(needed: 53, limit: 20).description
            == "too few files may be open: 53 are needed, and the limit is 20")
}

/// In a process of its own: for a moment there is no descriptor left, and whatever else needs one then, fails.
@Test("whether so many can still be opened is tried, and leaves nothing open")
func descriptorsFree() async {
    await #expect(processExitsWith: .success) {
        for _ in 0..<1000 { try DescriptorLimit.requireFree(100) }
        let limit = DescriptorLimit.raise()
        #expect(throws: DescriptorShortage(needed: limit, limit: nil)) { try DescriptorLimit.requireFree(limit) }
        try DescriptorLimit.requireFree(100)
    }
}
