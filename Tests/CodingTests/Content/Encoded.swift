import Facts

/// What other programs made, in Base64: gzip and zlib by Python, Brotli by its own encoder, Zstandard by its own tool.
enum Encoded {
    /// What all of them but the bombs hold.
    static let text = Array(
        (0..<40).map { "line \($0): the quick brown fox jumps over the lazy dog, \($0 * $0) times; \u{e9}\u{4e2d}\n" }
            .joined().utf8)

    static let gzip = bytes(
        """
        H4sIAAAAAAACA5XVO1LEQAxF0ZxVaAEEVqu77YbV8DFg8IyZHzOwIwJycrbCQigIqZfc2FWvZOm0NE/r0boL2z+MtjlMN092vV2Oa7tbTvZ4
        WD3vbHkZt3+f56u3V7td7s+ts/20GneX9vX+/flxNv9mOMxwkZFgRhYZATOayMj0X6oIKTAkFRFSYUioSnraVtWTAYZUNZwGQwalxClX7yRY
        LDbJaihaz6ozHticmpJjuk2JcYxX6vWK34CshgJOg+wNJRxJTqrhNyl3HVWcpeJEFecsq8Grd1C9SVRxSWpSiSouvXKTqOIqFSequOpqqOJe
        94Yq7vWk8CqWboIqblJxUMVNvqnAu7iTTzzwMu7kxgm8jV0uwCj4VEnJUXGOPA9BKXvIaxUDv51yXhSzl/+3/Aei8fviCAsAAA==
        """)

    static let zlib = bytes(
        """
        eNqV1TtSxEAMRdGcVWgBBFaru+2G1fAxYPCMmR8zsCMCcnK2wkIoCKmX3NhVr2TptDRP69G6C9s/jLY5TDdPdr1djmu7W072eFg972x5Gbd/
        n+ert1e7Xe7PrbP9tBp3l/b1/v35cTb/ZjjMcJGRYEYWGQEzmsjI9F+qCCkwJBURUmFIqEp62lbVkwGGVDWcBkMGpcQpV+8kWCw2yWooWs+q
        Mx7YnJqSY7pNiXGMV+r1it+ArIYCToPsDSUcSU6q4Tcpdx1VnKXiRBXnLKvBq3dQvUlUcUlqUokqLr1yk6jiKhUnqrjqaqjiXveGKu71pPAq
        lm6CKm5ScVDFTb6pwLu4k0888DLu5MYJvI1dLsAo+FRJyVFxjjwPQSl7yGsVA7+dcl4Us5f/t/wHQ6cD6Q==
        """)

    static let raw = bytes(
        """
        ldU7UsRADEXRnFVoAQRWq7vthtXwMWDwjJkfM7AjAnJytsJCKAipl9zYVa9k6bQ0T+vRugvbP4y2OUw3T3a9XY5ru1tO9nhYPe9seRm3f5/n
        q7dXu13uz62z/bQad5f29f79+XE2/2Y4zHCRkWBGFhkBM5rIyPRfqggpMCQVEVJhSKhKetpW1ZMBhlQ1nAZDBqXEKVfvJFgsNslqKFrPqjMe
        2JyakmO6TYlxjFfq9YrfgKyGAk6D7A0lHElOquE3KXcdVZyl4kQV5yyrwat3UL1JVHFJalKJKi69cpOo4ioVJ6q46mqo4l73hiru9aTwKpZu
        gipuUnFQxU2+qcC7uJNPPPAy7uTGCbyNXS7AKPhUSclRcY48D0Epe8hrFQO/nXJeFLOX/7f8Bw==
        """)

    static let brotli = bytes(
        """
        GwcLAET99s5jVJ9nJen134FTY2zppsejLFDZCQCXjBxaq1j85GQ/C92kwgUuaKGcjh+ODE/XqqWNCY6+L2frkbU7P7t4Pvuf9feby9rGm6vN
        T6vtwTbn0X7K57J3v9lwM6lb2669Hrr2e/y/n9p9SFQgWTmpqpCeEJCpYyJDajVkJX1fyCzjgMgic6Y8ivbQ7aSdRTKsIMLDCiIivEAWvGCN
        FUQmrCAyYwVRxAqiApS1o2zdUbaeUbaJKNtUoawD5UasaFQb1f6MaqM6rVHpnDtWqS6odHmvrNLx1bECVUa76ljlDBRBq7yBmowqgy3CKmeo
        Y1nlDG+gVvkWqZ8D
        """)

    static let zstd = bytes(
        """
        KLUv/QRo1QcAIg0nI4BNOjPQ2dRDNEE1aQEAAAAAAAJ4yogWrdxbbimTCsGmkjoBaTEXohXeeCe0E8+I56PVeLeHzrXPtb5X6qr06ZquKr9P
        +Fy/07/Lu3Wdx+VdyprU6U/WTa+iM2/fZ3tt6tpUipqe1LmYtwGeT6gDskEleiwsdhZIRA624RAclAgTsYrkcWGYJoIwSCZCKVjDsLhMLFJY
        THAWQRaOUKgR0NzX/xgDsDNSbRKIEPgZBMECmuB//89rdKDJGeu4RYw8m40BQTJbh3jMD27KGVCPycCmwQ8piUygkiOVT6o6pYcWSbKYMIMv
        F2LkYFHJETjYjjapFgBbBVK/Xzg=
        """)

    static let gzipThenBrotli = bytes(
        """
        i52AH4sIAAAAAAACA5XVO1LEQAxF0ZxVaAEEVqu77YbV8DFg8IyZHzOwIwJycrbCQigIqZfc2FWvZOm0NE/r0boL2z+MtjlMN092vV2Oa7tb
        TvZ4WD3vbHkZt3+f56u3V7td7s+ts/20GneX9vX+/flxNv9mOMxwkZFgRhYZATOayMj0X6oIKTAkFRFSYUioSnraVtWTAYZUNZwGQwalxClX
        7yRYLDbJaihaz6ozHticmpJjuk2JcYxX6vWK34CshgJOg+wNJRxJTqrhNyl3HVWcpeJEFecsq8Grd1C9SVRxSWpSiSouvXKTqOIqFSequOpq
        qOJe94Yq7vWk8CqWboIqblJxUMVNvqnAu7iTTzzwMu7kxgm8jV0uwCj4VEnJUXGOPA9BKXvIaxUDv51yXhSzl/+3/Aei8fviCAsAAAM=
        """)

    static let zstdWide = bytes(
        """
        KLUv/QCIZQAAMGhlbGxvIAEAy1mK
        """)

    /// One MiB of zeros.
    static let zstdZeros = bytes(
        """
        KLUv/QBYVAAAEAAAAQD7/znAAgIAEAACABAAAgAQAAIAEAACABAAAgAQAAMAEAA=
        """)

    /// One GiB of zeros under three gzips.
    static let gzipThriceZeros = bytes(
        """
        H4sIAAAAAAACA5Pv5mAAASbmt3cW5gUXyrQ9LFuboWamtkzgsZpHmkcXY/cNkSTFmTMdFt1OWWBwh1NCj0GknKF4d0NqUmQA99K3vjqW7z/P+H/R
        /ufTJ7a/bKRz3/jk1fUcf93/dHp9fH76bmWg4QkPpoVPn3xWwqBq26+/r85qAoUMSt5/+77sduCDh29eej8HCjQc/P3l0Y+T3/gbdx/9vbIYKHLg
        gey/vfPytzfEr37Prv6OESjU/N3dAOTaIBZmILnAFcyJAnMU3JA4ozKjMqMyozKjMqMyBGX0vn1Pm6374PHfR4dfX1Su/vf2+c/bX63/819Jbz1z
        4g0/AwDYL/M5IwcAAA==
        """)

    /// One GiB of zeros.
    static let brotliZeros = bytes(
        """
        y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8A
        CYA4LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA
        9/6P//9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///
        HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcFoHv/x///PwAkAOKwAHTv//j//weABEAc
        FoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+z/+//8BIAEQhwWge//H
        //8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJ
        gDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3
        /o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcFoHv/x///PwAkAOKwAHTv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8f
        ABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwW
        gO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f/
        /z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmA
        OCwA3fs//v//ASABEIcFoHv/x///PwAkAOKwAHTv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+
        j///fwBIAMRhAeje//H//w8ACYA4LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8A
        EgBxWAC693/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA
        7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcFoHv/x///
        PwAkAOKwAHTv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4
        LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P
        //9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwAS
        AHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcFoHv/x///PwAkAOKwAHTv//j//weABEAcFoDu
        /R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+7/8//8DIAEQhwWge/8H
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        Base64.decoded(base64.utf8.filter { $0 != UInt8(ascii: "\n") }[...]) ?? []
    }
}
