import Facts

/// A client certificate in the forms that tools write it, all with one key.
enum ClientCertificateFiles {
    static let subject = "CN=client 7,O=Team"
    static let issuer = "CN=Team CA,O=Team"
    static let password = "secret"

    /// `openssl pkcs12 -export`, with the issuer.
    static let modern = decoded(
        """
        MIIFnAIBAzCCBVIGCSqGSIb3DQEHAaCCBUMEggU/MIIFOzCCA/IGCSqGSIb3DQEHBqCCA+MwggPfAgEAMIID2AYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjzbjtUa1DI9AICA+gwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKZy
        qZaQR52O71kHHbhTQTmAggNwVj3MDVuqJI94HhxC3SA6rf4kKH7n51o38W/djl2SSND97bGJy/h/Zy+TkWYL/6Zohns/iIIHkwyp
        yN+JASj0ZSu0owvmN8wi49YEbgSttgEkj1QLSiur1ux5Yc/JdmcfJqVsZxs0saTl1tLKkyRhTUERj0f2+PFrpzC20YJPKKvQreDi
        i17MlyfmkBnySmRVSqT/M4nwQUx06d2jTAgzqVhiMcmnEX1nuHyjCHOvqbbZ1d80OodbOfG9iOHGy78WfWgVEQjYxFy+k6d5UXmH
        8uD9ty07Y8Ptz1YeXtvoGwLCnMKMuorfT1ct8QxVw4d3cu6jsC2FQYYW+mJ45iHa20pPG/Onr6LE+sv/DloDv6h5tAwH2opcIb6K
        EfruFUKnFfh3rT7fiCZMo6IS+0Ul5jYhEHOndilFMnCn2Zt/G1C68sM4u1dYAE3ZXruVxatow6fDB1v2QcZjpqpWtEia22fXA7ib
        HKJAmSZyCTcipF8dLPxOPegb+usvGuW6nFLfl99//M/4ssd387U9WPoq12rsMVIv9Lh/gLDcL7Lx/JQaURP4LlYpb+c3jzXZSj1+
        QmjtGn196BQIRa+odjMEqZGIu4cud1Yf5NWbKl0jApwdY48UB4uyDUZN3FATL73+ZI77SMnN5eIKxCtalMRZMD7yjc4ftSFbfOUd
        kpt6F31WOTew49kbQcUOMnROx3SQyTsc9Zw4KC3qzP+RDhjzDGxionjTsxBwD4tGWypYSnIZoxEIRWWkKWo9v/gb8Y9OmPAGQbvb
        yRqr97wAXwYbdbcdco2r7SXroH8STd4+Nt4rqvA+rqTfxpwuvy0gvjB+jsAYe8mt/sF4WMkwIkrl1BpL8Rp8jugzSodroUUeNpp3
        jF8HIhW0IvKLgwXcagMFyIz0Pi39HSTzk4yb25SymvNsFAkns2XWFGiSwzaFMz9pjX+pmZshaUWiF5eR4RrDRBe9u+HfbqYMfcvt
        syrTnEm58GvPs2YnpRSp6L7kBEBI71duxt5t37HdlSi/B91GvEQ9g+45/p0onCPSKRgkHF8f684B1EF5gkwTOTkVjjlyNUs29Gcp
        JbuUabIyCvI0mb5l2pqek+Jwy+6Vz0g3MMzc2AhG7hYByGmk3Jpa2ngrH75lWWHF2MIBiHNkj3V0tfgUYRmiMnjn6CCTCBfT5DCC
        AUEGCSqGSIb3DQEHAaCCATIEggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEF
        DDAcBAgqdFYNhYJFYAICA+gwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPeGQDOCejdWG2HaLdW0/8EEgZDYyRs/8JqgMu3B
        WqL2ULt9bUr1lE4GCLofrlFxze8HfRDDfzYOqdFxopNss2LlhvqAIgJuAISJGfFlGbFTARZ/7WiP7lYidlwQ8BxVa49BHmiAyIAD
        fBEvIZWjwqOl8jh+Jz6FeIbrZzqBqWdxZ6VliSF31uL2QNSlVdB1JNrh4BIFIySdc0Ggz2EbAwu2f+kxJTAjBgkqhkiG9w0BCRUx
        FgQUjJ6bmvpyCXfyprE/dIF/vRroefQwQTAxMA0GCWCGSAFlAwQCAQUABCD87snbXryMSbYqHlT+A8pjWa+XXOzSGfpe679ewZF0
        ZgQITc6AuziVg2kCAgPo
        """)

    /// `openssl pkcs12 -export -legacy`: RC2 and Triple DES, as Keychain Access writes it.
    static let legacy = decoded(
        """
        MIIFCgIBAzCCBNAGCSqGSIb3DQEHAaCCBMEEggS9MIIEuTCCA68GCSqGSIb3DQEHBqCCA6AwggOcAgEAMIIDlQYJKoZIhvcNAQcB
        MBwGCiqGSIb3DQEMAQYwDgQIYAU+x79nfzcCAgPogIIDaCJdgomrg5suMKbRbDSkdErCKx2Zp7zNJXC7876pID0ckwSCs+JyISZ5
        lBWZ8qo/m9+veMmz29FdHWLR2fZqSLdDmDNFUiEvY8WobrFY48IDauLbZlSytu78OFkAFa4K/hSDx0igVClDbgmZ8ktJEeapEKO0
        BExB61MnyYIGGtaT0TT5y24CDlyPEc4Y3mgsIHooFgw2F6TU8gM0gBuWt8CYLSMLTC9qcTMAlUnJbxdn0CTI97uBVhs8U2X0tEat
        E4amPaYgQW6DIixa0wNLPKIdJRBh/lxafhu2e1vkvcoSSEKMsoqiV0NKM17WfDNwiJpLfYzb7S0m3txQ9O8BEnSHd3RvEkJWNxCk
        6YH+rplShOeanfXCdVjvzy8txk+zoC5m7hGTyHdKhKW5/09k73BfO8kTfX14SPagFKV2G1B22fDHdwpbe4KbgReHPaox6u5XF8Fy
        Zi1f2N2m1mzimWPieoxLDm67/uB7xRQDF1St6S5kdFo3NsvRRrWHGYjWktLANIqr8TzCGdUjX3OK6wSvl9deCdmGSC3fWtT8A8Bo
        KpvQ8Ie2CDS8zB5y9iCsV1CZensqqDqWiwM2ngZqnGcXCekXGcsjV8OvoiBNOaZcXzndyPnio6SEtS2t7OolXtU+8yoItxwSSvWl
        OzUwo3Gz2i8qYybuuWjtkiK3WIhUdkiXKDrw0za1bjWKuiOXl+viNDLm0gDnz/cGiT2Nio2TtBuPwm+Vj+DZbF/jTTKKZf2HpgWt
        CqHAMcH7N3p9irKwNoJOvPwuhXFeh0LKUkCMlc33fv+xqFzx/0FTkmQKo9e1I9o0VXS2hHN0xDeSbKdkQtJZs1fMV1plqRBs3iy/
        PM1kJZadYReQnoW39vW/k7lpKORR7TLxbBlydJw8i/SNXf01xm5p0xhTeXCqzYccLQI6gnOPGJQJnh2cJzvV7bswupucFWFvNBgq
        olP2yRYf6bn+/VnmWglaWi1zQfQszJ1+fa659N0lpW4pfiYnuWEW2aRPIehLcjZ2UjRtPKxafznnpms3dYY5eqW9MBpQUHNeQ5O/
        wBnxVsB7PwflLB3b4kZQ36T3gjl3sZYxyflmycYn5qId9WgnAvpxtUUQCLz8xK4NrpY8MX6HRAIjN/Su5+RTy5lqfKcfdejsdvHN
        K72LmQUUMIIBAgYJKoZIhvcNAQcBoIH0BIHxMIHuMIHrBgsqhkiG9w0BDAoBAqCBtDCBsTAcBgoqhkiG9w0BDAEDMA4ECE4lgeE4
        VjgwAgID6ASBkLpbDySoPy6sgMIEGlTfWZ09h7Xm2r+VOo6aEGZAq8nSZd88Gw24wlaoa7Jws/mdEEQ91N8WXgy9E8LUknh0f1b/
        6CVBr6f8YudZNPdn1koMFTnvLWj4Aqc0jwlJ6lz9/Bd/VjMm8laG5hdVgNV2SGYv6nJ6va/wWCmIj/L75y81IuDoj12xq1/8hv6y
        1MwggDElMCMGCSqGSIb3DQEJFTEWBBSMnpua+nIJd/KmsT90gX+9Guh59DAxMCEwCQYFKw4DAhoFAAQUoKkA3l0HL5cr+vIarena
        Gj8oWcAECKSHIgIlravCAgID6A==
        """)

    /// With an empty password, and without the issuer.
    static let open = decoded(
        """
        MIIDzAIBAzCCA4IGCSqGSIb3DQEHAaCCA3MEggNvMIIDazCCAiIGCSqGSIb3DQEHBqCCAhMwggIPAgEAMIICCAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiFURSGyLQg7AICA+gwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEIbN
        aOckT2qEut2uYIgDWTyAggGgAK9LoIz50wn9iGfyUmqnIxkxyytaAutFRXZO+wN8cPT0Z+oZGJ2fw5vr1rYC+jvbBIkBrK0yUF8L
        b9kcjWwO0B9YJjzRVl2R5QcYAykxaF4M71P5NmL0fq535eG7C+JKZMpNPOHsqHXPaipdV9yZCGSCjZ0cZbGbjCqK88SILOyJOCBf
        E1bOV/Sadd/kokffOpyIaFm+0MTX8Mnh/HkE5lQnUlYy7J+3k8S5E+Ob0NiABY2milX3e1DuKd4Tdq3s+BtXOoWR36zrH9+zbplh
        mE7udmKB06Pfz21VzIFBqKwcvq8eaQym1/4lzVFrWwnpwiBF/oWdDd9oLL6VXELvzilmJDZSwj1ss7uMIS3e46ob7vcSjlZEHogH
        XB8brvLVraYzSjVS6Kz4sO6gHWV/H5wqBVTQbjNqM+8BhUmbtt4+egWmEd+B7YDDzOU8PtfppB486d0US77O8f5hZtsMOhGM3rAh
        jlU7efPh/1sa70iyGKjnfwP3Wp2NTQXh4nHSFhpZyZhJ1n3LK+5xceLdn9QAC5cjs7QOzGLoybHTr6AwggFBBgkqhkiG9w0BBwGg
        ggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIiGyFXjYzN8sC
        AgPoMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDajgbIT7LuhMhkRLb009UfBIGQ2S/DDNIXf7xS9Kx++l/9sg++q8Nsj4AM
        tHH1QfKAdv1cyOEKeAR2bhqnXb9MUfwEKsmBWQ994qjx+kDwLyTX2bl6y7MIuWW4PWDJvcy4d0a1XBwSiG67digNhTjNMESxAJKg
        fg2RoCYUxNFa2xD9AHIKKspu0JcombYi/N9axeiwFO1XLm6E9RcPIa41sWpxMSUwIwYJKoZIhvcNAQkVMRYEFIyem5r6cgl38qax
        P3SBf70a6Hn0MEEwMTANBglghkgBZQMEAgEFAAQgHmDzgROhyEg149G8iJzNSALyjwirs+kXAKgN//fT04cECG5q3akxAuY3AgID
        6A==
        """)

    /// The certificate alone.
    static let keyless = decoded(
        """
        MIICZwIBAzCCAh0GCSqGSIb3DQEHAaCCAg4EggIKMIICBjCCAgIGCSqGSIb3DQEHBqCCAfMwggHvAgEAMIIB6AYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgas9d+QiSeGgICA+gwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFMK
        SVBbxmm4Gtq7L7Lz19uAggGAjWDmC2qwV4HPA4lSoGViZLpJYqu2UosSepQSxcC0mXgd8WETWZfGDsieIXtKUODVIhWZ0vihftm0
        tMDaxCzq7BVFz4tAcNHqGIwDDzfdP+70freIRzHZfAoFjMIsnEE5AHZQqyKbl4nRNrBtpnx0OMzkDnOgJ8aXyAyfOR/Kwz2t4/Ew
        uMDBbXO6/TOcNXviFZa/9O2RVPoylSyxuPG/PUZXSAzQVA/ukSdxnjc8vuWFOyZYl8KrgSUTWExWDhttD0STe0FVcwZQCxJgIo+p
        451BOWJeTcit/J8UH5I+qy8m9wl2BMi1TsZ80Ez7yiPQdRId9wnUjupPb8RyK7vTC2olAFv2PpG+O0VvJ5fmdZnJmJ3p63pSVyG2
        5RUqbn6hIxtNwrrY5GiOOu/upc7eIA1QtjFUl/nnfZ3x6wdcN7t41zMpuOAxDD4oEtTQDjbB/0/ijnPy9vOohiIwac0TykxjKDP3
        tXmPRCbGOSV3kU75Db4mxNBhuMl5nyPLb7MpMEEwMTANBglghkgBZQMEAgEFAAQgHpfb+F9LYmASVQVv7BWIg5ps1k7tZ7Pj/zD3
        4nsdQLAECEN5Ekf170KKAgID6A==
        """)

    /// The issuer first: the order in a file says nothing.
    static let chain = """
        -----BEGIN CERTIFICATE-----
        MIIBmTCCAT+gAwIBAgIUZJjQTG+uiltpXRtW2VhltmFnyKYwCgYIKoZIzj0EAwIw
        ITENMAsGA1UECgwEVGVhbTEQMA4GA1UEAwwHVGVhbSBDQTAgFw0yNjExMjIxNzIw
        NTNaGA8yMTI2MTAyOTE3MjA1M1owITENMAsGA1UECgwEVGVhbTEQMA4GA1UEAwwH
        VGVhbSBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJN6cDfmw23ABr3pMrAV
        m0jyR1Bb6hhA4sraDvbWsm+LLOU7TQK3UnhLabFuNUUAGvbdxJzHxzKXZmtBQQ6s
        eQSjUzBRMB0GA1UdDgQWBBQEKCnLj6CQUZ3KZEs4OIESEMEn3zAfBgNVHSMEGDAW
        gBQEKCnLj6CQUZ3KZEs4OIESEMEn3zAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
        BAMCA0gAMEUCIDMkeFGqh+cqayif6nsWEuPOY6mZoe3LDe+vswuwqe/yAiEAgZht
        fEYm8dcL9TaKExQ1mOLZ8mOcGXNdABoNUH7MGFc=
        -----END CERTIFICATE-----
        -----BEGIN CERTIFICATE-----
        MIIBQDCB5gIUINXXhucjKGfw2uowl9Y//2zebjMwCgYIKoZIzj0EAwIwITENMAsG
        A1UECgwEVGVhbTEQMA4GA1UEAwwHVGVhbSBDQTAgFw0yNjExMjIxNzIwNTNaGA8y
        MTI2MTAyOTE3MjA1M1owIjENMAsGA1UECgwEVGVhbTERMA8GA1UEAwwIY2xpZW50
        IDcwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATzyECdW7/ZOrTFA9i1iwAhLd7X
        U4+3ascFTnNm6WGGIPwJH4lq9aVomMdEEShsRklRERhnLyt/ReyyOB+FjQHQMAoG
        CCqGSM49BAMCA0kAMEYCIQCPtew/2WUoOYRq88AHAqtWeUUtKnjG9WtxGNtbeWWV
        1AIhAKTfVFWJaTKFhG4QMMiQy4HVhLfZI1IiTqbvlsRYq82r
        -----END CERTIFICATE-----

        """

    /// PKCS#8, not encrypted.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEXWiE4ZZ1YPIUUKg
        eyQsZG+xcNV+dee4bDkFMxoWTNahRANCAATzyECdW7/ZOrTFA9i1iwAhLd7XU4+3
        ascFTnNm6WGGIPwJH4lq9aVomMdEEShsRklRERhnLyt/ReyyOB+FjQHQ
        -----END PRIVATE KEY-----

        """

    private static func decoded(_ text: String) -> [UInt8] {
        Base64.decoded(Array(text.utf8.filter { $0 != 0x0a })[...]) ?? []
    }
}
