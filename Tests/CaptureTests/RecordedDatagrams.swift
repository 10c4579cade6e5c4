#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// QUIC datagrams as they go over the wire, made by another implementation of RFC 9001.
enum RecordedDatagrams {
    /// Version 1, a whole hello that names api.test.
    static let v1 = bytes(
        "xgAAAAEIAQIDBAUGBwgAAEB5Hj/1WvsFdpqnY1a7/zi4FKQ9EnDXSBvpke7pmbK2KBtF2qb1jYP741ZSjKnVjnfY1IOpzfUy8aOI"
            + "gVLPi/FbgHlxq8TEzZPlW6imf2C5/vI9fxtJFDKuLyqlNyWOGLUvjUyPt0uNkVEXvLKhPP8SmV6ntQ4GzZb1iw==")

    /// Version 2, the same hello.
    static let v2 = bytes(
        "32szQ88IEREREREREREAAEB6jVv8H6eSurEXyUlm1wPAJvbe/PWTVp6IitIxHcgHxZUzNhjDlAudgl+qNZyduoU/RkUkk+3t+G/m"
            + "55ZY/kk1M2WkkIrwbSFurYlC/nW5ghefh1H0oKtpFbXovX0YO7AoqC57LQk7XxBXBVlG5hx/+WGAwTRydstZc5A=")

    /// The first datagram of a hello of 1.3 KB that names api.test: pieces out of order, PING and padding between.
    static let firstHalf = bytes(
        "zwAAAAEIIiIiIiIiIiIAAENDt4MTBiD1sOODpNrkDk+RWtJ6ovc7LsFJKnXtqceNn0LK94oKTdyPL6ZaT7IrKbWMxqDP7yRcMAOG"
            + "EXzeTQ8p4r8wGJnhO0xDAik2WzOh3sY+WNkDnoPgFGxX/VkLzvPg6zg3e0VkZjVZTygtrEo7hoMWvWpOYXXw+0iynC3Gg/e+dtym"
            + "XPhc80ZahngEvd/ISinvOa6blFqNyUXh+LchL95OZIwHBKlkBdPoLrey1uSlG6MpVBHF+wKb9N8ixqSyGDV0sgvp2QW5dTm0Yxgr"
            + "5etBS9fJUyhdibY4MKdNdoFJ6W1PJHXc0EwBMLR5gQRiCXLgF4audD3DwWuDXT18kH+egWXBvC4Nz6RRFKn8DldXpI4RthtXCab5"
            + "YXHSxzagB7QdqmrFMhFCEFpcPaf6RLC6Na6s9DpXVmny4Fa6gdfNWwRDF8c0+sua/AngV+5LYml/l4yHpitze9I2+kn/jWtwtUCv"
            + "P7x0w9zwufPie5J+O6KIHGpLKH7CkKYYYos5lq/L3ksEWnTYWkhE4QdHDu8wsIHA+EMYIZ9GjtLBHqCPKgiqbCPSRuMHJjy4zhqM"
            + "3pOjQSgxI+iRD9+V41v+yI5q3NwJPyYo0LhakVoQ5tTucyWgp59AzFEm+VtJirnvndWhTPUEFbOG/n9FsfxwXOF6HuPxh1jzkQRj"
            + "K0a9X/z6pSu33eZf2MPx5LuB8Em3QWEs6gBfJcyIfQTEL/GqqOsVW7jG3+rli6WCR6y2kyKpM8i5IO5CbDO/V4heKnIA7L8VdpVS"
            + "Xwkj60nxuli/0y7RaOGVqYUs00GFl8F4paOADaWDFCSz+Xbin2qdxi/ERV7u7AuClSdLmTG6+cpcg4fE/mwyUwEonOX/GL5evGRi"
            + "oio5PBTbGknqOS3XDNWfwN4Q/BmKGEBUgvL2E6ypF3aVPVm3Fs3c3Kgh8yU5QuOR4H3OEVx27JvBPppXW0bXz+/MwPWiolF0hZ8U"
            + "fcKNLBZNfuDgaRy0yy67Ec/LeRgZuAVIg9Tywp0kBW4TW8nhulbrsiPC3pCIk7VajwrwM2TDQXpl91wWLs+p+EO+X56LqFUZ1zm7"
            + "Jvy88nBadUdH9+HRPieVtdGIblla9m79LDnmCQ==")

    /// Its second datagram, with the pieces that were left out, behind an ACK.
    static let secondHalf = bytes(
        "ygAAAAEIIiIiIiIiIiIAAEIKae4GlkD4RVUkBjlwPiMEg/cR7FgwbUJ1unNOaYsz/7ECz7UIGzd3BHPTIApclVbY4/7z013t9qHv"
            + "PuWSAQ2Bjyo3P6Pb9UcavNJNqrusv64IUyabgSly7UAKNCRBJTK971laSc09UZqYXmeflF6CNrXPIWqmGvf1P8xD1ukfUZJFs0XS"
            + "oB3wEqYSdmLsBRVxcuq0lTfHF5s5wvoPZU6brLntweyMQcFy4hKnFHl18PPSXSRIctkgzXbDEXE+mFepmGTWENUkfP6xI6OTVPVK"
            + "AePR0YX2ml9a27rhuLesjhxhTdEKMQik5KOpN9JwWNJGZXfiL6mNLywWZyYfsQbrO+5TqO5g1X0nqWaq80o9dq5ZBm54ssP9tNw6"
            + "OxPnEVzPWTAB3I8tvYHnavP8g9Sjup1DpW1CUZ4WiOM6m4WMXuR/5Gm9xW4UE4GttsmM6db90TfAH9SMq3vsNAl8l8v2hG65+/Y7"
            + "NDDSfw34XNypGAiSTURzVRdw6ax9ligo705AexX/yImnsUfGzBntIRAu4XrSvDQhfnVDYeH2d+GBDWSM2l4abTAyWelI8bLQ1KvQ"
            + "KIyxo2PMKe3fbwdXJmXIJwWecLURtmNxIYhGnT41gc5muPEB6GIdoHrH/weg6F65AXxY+Q9fvvYTk1CyOoBChgpEkEyhhJWMG2IT"
            + "MrpnOKhpYUNf4CCsr49j")

    /// A server's answer to `v1`.
    static let server = bytes(
        "yAAAAAEIMzMzMzMzMzMAAEAhdyfkpWE/mcCLRwkfmQO1T24hOMhO/xwcuPoie41RrjGA")

    /// A hello with ECH whose outer name is outer.test.
    static let ech = bytes(
        "xAAAAAEIREREREREREQAAEBvnVNIn98RySyNfCAO+Pz9ZzHXedj/IVoksqpO/n+9JFp3+GysFA8DSh+5M3KXNa2eZ7TE5fWq29WC"
            + "1n1clxmfLutqwmuvJ5X0wa6RnPd9zoCnlNrztSGH4YSrKUyp6mw/1/SP/Yk8+by0dz0bJvMi")

    /// A TLS record with the hello of `v1`.
    static let tlsHello = bytes(
        "FgMBAFABAABMAwMAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHwAAAhMBAQAAIQAAAA0ACwAACGFwaS50ZXN0ACsAAwID"
            + "BAAQAAUAAwJoMw==")

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { Array($0) } ?? [] }
}
