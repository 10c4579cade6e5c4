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
