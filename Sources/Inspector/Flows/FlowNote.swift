/// What a person says of a flow.
package enum FlowNote {
    /// Characters of a mark, which is a word of a list, and of a comment.
    package static let (markLimit, commentLimit) = (64, 16_384)
}
