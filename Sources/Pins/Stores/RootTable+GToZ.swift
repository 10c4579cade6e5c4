extension RootTable {
    /// Of the organisations from G to Z; the form is told at `RootTable`.
    static let gToZ = """
        # Generalitat Valenciana
        2Psz44XJwtpymoRwa6kn3Lt5Jz4SL/2WczY7cLfzbLs 24-25 . . 2021-07-01 Root CA Generalitat Valenciana
        # GeoTrust
        h6801m+z8v3zbgkRHpq6L29Esgfzhj89C1SyUCOQmqU 24-30 12-16 . 2022-05-21 GeoTrust Global CA
        SQVGZiOrQXi+kqxcvWWE96HhfydlLVqFr4lQTqI5qqo 24-30 12-17 . 2036-07-16 GeoTrust Primary Certification Authority
        vPtEqrmtAhAVcGtBIep2HIHJ6IlnWQ9vlK50TciLePs 24-33 12- . 2038-01-18 GeoTrust Primary Certification Authority - G2
        q5hJUnat8eyv8o81xTBIeB5cFxjaucjmelBPT2pRMo8 24-30 12-17 . 2037-12-01
          GeoTrust Primary Certification Authority - G3
        lpkiXF3lLlbN0y3y6W0c/qWqPKC7Us2JM8I7XCdEOCA 24-30 . . 2029-03-04 GeoTrust Universal CA
        fKoDRlEkWQxgHlZ+UhSOlSwM/+iQAFMP4NlbbVDqrkE 24-30 . . 2029-03-04 GeoTrust Universal CA 2
        # GlobalSign
        CLOmM1/OXvSPjw5UOYbAf9GKOxImEp9hhku9W90fHMk 24- 12- 2029-04-15 2038-01-19 GlobalSign ECC Root CA - R4
        fg6tdrtoGdwvVFEahDVPboswe53YIFjqbABPAdndpd8 24- 12- 2029-04-15 2038-01-19 GlobalSign ECC Root CA - R5
        K87oWBWM9UZfyddvDfoxL+8lpNyoUB2ptGtn0fv6G2Q 24-35 12- . 2028-01-28 GlobalSign Root CA
        iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0 24-33 12-15 . 2021-12-15 GlobalSign Root CA - R2
        cGuxAXyFXFkWm61cF4HPWX8S0srS9j0aSqN0k4AP+4A 24- 12- 2027-04-15 2029-03-18 GlobalSign Root CA - R3
        aCdH+LpiG4fN07wpXtXKvOciocDANj0daLOJKNJ4fx4 29- 15- 2029-12-10 2034-12-10 GlobalSign Root CA - R6
        4EoCLOMvTM8sf2BGKHuCijKpCfXnUUR/g/0scfb9gXM 34- 15- 2034-03-20 2046-03-20 GlobalSign Root E46
        rn+WLLnmp9v3uDP7GPqbcaiRdd+UnCMrap73yz3yu/w 34- 15- 2034-03-20 2046-03-20 GlobalSign Root R46
        # GoDaddy
        VjLZe/p3W/PJnd6lL8JVNBCGQBZynFLdZSTIqcO0SJ8 24-35 12- . 2034-06-29 Go Daddy Class 2 Certification Authority
        Ko8tivDrEjiY90yGasP6ZpBU4jwXvHqVvQI0GS3GNdA 24- 12- 2027-04-15 2037-12-31
          Go Daddy Root Certificate Authority - G2
        # Google Trust Services
        hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc 29- 12- 2031-06-22 2036-06-22 GTS Root R1
        Vfd95BwDeSQo+NUYxVEEIlvkOlWY2SalKK1lPhzOx78 29- 12- . 2036-06-22 GTS Root R2
        QXnt2YHvdHR3tJYmQIr0Paosp6t/nggsEGD4QJZ3Q0g 29- 12- 2031-06-22 2036-06-22 GTS Root R3
        mEflZT5enoR1FuXLgYYGqnVEoZvmf9c2bVBpiOjYQ0c 29- 12- 2031-06-22 2036-06-22 GTS Root R4
        # Government Root Certification Authority
        qBKTRF2xlqIDD55FX+PHSppPgxewKwFAYCeocIF0Q0w 24-30 . . 2032-12-05 Government Root Certification Authority
        # GUANG DONG CERTIFICATE AUTHORITY
        zrGUEcZQUsdX+UHrgmyWlB5NCNCWx9t+fqPE+ME/GhM 28- 12- 2029-11-26 2040-12-31 GDCA TrustAUTH R5 ROOT
        # HARICA
        /HhDAOyN9NPRutdjg1GCkY1Sqf8COL32laHNm9uYMhw 34- 16- 2036-02-19 2045-02-13 HARICA TLS ECC Root CA 2021
        aTyaprJFs7AmFjd1CGPq22wkihblLW9LyQyGu/MtcEI 34- 16- 2036-02-19 2045-02-13 HARICA TLS RSA Root CA 2021
        u1IIbQY56NszJ3Wsj06ENdks6wD04k8o/A6r4kB3LoA 25- 12- 2030-07-07 2040-06-30
          Hellenic Academic and Research Institutions ECC RootCA 2015
        Gno6GmjdI2Hj87uFXzsm/NiLGX2N1N4Gzxs2KsiewTs 24-33 12-17 . 2031-12-01
          Hellenic Academic and Research Institutions RootCA 2011
        UMyGupbbMmPHmkPq0HVT2fVmWeaQfnLYwCZjehzchdw 25- 12- 2030-07-07 2040-06-30
          Hellenic Academic and Research Institutions RootCA 2015
        # Hongkong Post
        NsIjFBMaX78bcOpMz0vBOnd9k47GXh2iTjws/QHT0WM 24-33 12-16 . 2023-05-15 Hongkong Post Root CA 1
        JUHlO6WzsHrL5wl6xKA+BAwRz3ptSmfLIT1Vi1AWegY 30- 15- 2032-06-03 2042-06-03 Hongkong Post Root CA 3
        # IdenTrust
        Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys 24-33 12-15 . 2021-09-30 DST Root CA X3
        B+hU8mp8vTiZJ6oEG/7xts0h3RQ4GK2UfcZVqeWH/og 24- 12- 2029-04-15 2034-01-16 IdenTrust Commercial Root CA 1
        WN1h/rNup9JYckNxcJFJyxITN4ZMrLLQmZrSBznQZHc 24- 12- 2029-04-15 2034-01-16 IdenTrust Public Sector Root CA 1
        # ISRG
        C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M 25- 12- 2030-06-04 2035-06-04 ISRG Root X1
        diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI 34- 16- 2035-09-04 2040-09-17 ISRG Root X2
        # iTrusChina
        oka4Ivls/swVUVblR2lXhFSSrPMhh+yKLvEtiWGNcR0 34- . 2033-07-28 2043-07-31 vTrus ECC Root CA
        4GZH5SYQFgw+g8QtIuOaqHUMWE1sJK+u1UphFkdCAAo 34- . 2033-07-28 2043-07-31 vTrus Root CA
        # IZENPE
        lSwgOcAkPrUV3XPYP8NkMYSHT+sIYqmDdzHtm0dC4Xo 24- 12- 2026-04-15 2037-12-13 Izenpe.com
        # Japan Certification Services
        u0Eo7JYg8tKknOjixOJXrrrZOg8RxWtfpLAOI3Wfo50 24-35 . . 2029-04-08 SecureSign RootCA11
        # Krajowa Izba Rozliczeniowa
        bjZLYTPe79y7ISc8X0RaIK+8BQONWwIcDCFTA5AWNFs 24- . 2030-10-19 2035-10-19 SZAFIR ROOT CA2
        # LuxTrust
        tzgpDMCFR+eaxn+DHrszVHxOfbRRTi0piMI8RBNA60E 26-30 . . 2035-03-05 LuxTrust Global Root 2
        # Microsec
        QkMWJ+p2zHhpf5FeNFWxsuyC/y9jgO5kI+88CEC35jE 31- . 2032-08-22 2042-08-22 e-Szigno Root CA 2017
        R0h5AKG+ue4IzLwRFqjsVfRUtjiZQxnwUbmEAjztZCM . . 2038-07-17 2038-07-17 e-Szigno TLS Root CA 2023
        YWFnIBQzrqbI5eMHCvyvZ0kYj4FL0auxea6NrTq/Juw 24- 12- 2027-04-15 2029-12-30 Microsec e-Szigno Root CA 2009
        # Microsoft
        NfU84SZGEeAzQP434ex9TMmGxWE9ynD9BKpEVF8tryg 31- 15- 2034-12-18 2042-07-18
          Microsoft ECC Root Certificate Authority 2017
        svcpi1K/LDysTd/nLeTWgqxYlXWVmC8rYjAa9ZfGmcU 31- 15- 2034-12-18 2042-07-18
          Microsoft RSA Root Certificate Authority 2017
        # NAVER BUSINESS PLATFORM
        eG/6V4YYw7mjERdeUIFvTdoGBcOGnyluvFlDvwn06QQ 31- 16- 2032-08-18 2037-08-18
          NAVER Global Root Certification Authority
        # NetLock
        9Iut199qBmkNCuMTc7EoVfje2xRRfzYqMTEBzJjMazU 24- 12- 2027-04-15 2028-12-06
          NetLock Arany (Class Gold) Főtanúsítvány
        # Network Solutions L.L.C.
        MtGA7THJNVieydu7ciEjuIO1/C3BD5/KOpXXfhv8tTQ 24-33 12-18 . 2029-12-31 Network Solutions Certificate Authority
        # OISTE Foundation
        1DndgPHjvFyeXxPov/eoiH353Bw+Gddq9wyPjZhe7yI 37- . 2038-05-28 2048-05-24 OISTE Server Root ECC G1
        uWThQdOlXK4YDqahqNSil94m8RgzxnNWnRlvtTOphxA 37- . 2038-05-28 2048-05-24 OISTE Server Root RSA G1
        # OpenTrust
        bW8MNAlxohijHRAzDqmufHplUFNMbu/t3SEY4RTbRz4 25-28 12-15 . 2038-01-15 OpenTrust Root CA G1
        Z1YF8VZ+JfvSUmvv6irvvbInnz4bqjowOudVXRvaPuQ 25-28 12-15 . 2038-01-15 OpenTrust Root CA G2
        iR/4mOSo1VUUAFbjF27qkfTYCO5/bRv7zOb4SAdjn5E 25-29 12-15 . 2038-01-15 OpenTrust Root CA G3
        # RSA Security
        tKA56vxDELqb3gk+24+dnQs9THwATUgojDXbzBlGfRg 24-25 . . 2026-02-22 RSA Security 2048 V3
        # SECOM Trust Systems
        KUZ54Pl//UdPGVZ7NjgjlOG0lg4DCXXmY1NFIDSjxeo . . 2039-01-28 2049-01-14 SECOM TLS ECC Root CA 2024
        8OC2++i3TU+C2O2Pi9aj0IPcGds9LO2xBhzLdthI7n0 . . 2039-01-28 2049-01-14 SECOM TLS RSA Root CA 2024
        Mym/oTtgB6tfw3E/CssolCbi+8mcxcEQqRSxOVcWALY 34- 18- 2031-06-16 2038-01-18 Security Communication ECC RootCA1
        ZUT/mttkLEw2mKYNgUO2uTvO8BNltUD2FNzCpFq5TTE 24-28 12-15 . 2037-06-06 Security Communication EV RootCA1
        M4BwmvOwlr48wqQFSBQsClIAKNsJ4st3riIGYWq2y7Q 24- 12- 2027-04-15 2029-05-29 Security Communication RootCA2
        05gKrdIWOMcNdKS7H4q14Rck5i7UCPn6jT1NkWkAKGs 34-35 . . 2038-01-18 Security Communication RootCA3
        # SECOM Trust.net
        KkISYFqj6K7LD8GYBs87QLU7lfGjTbvW4+0nIwMkq7M 24-34 12-17 . 2023-09-30 Security Communication RootCA1
        # Sectigo
        vRU+17BDT2iGsXvOi76E7TQMcTLXAqj0+jGPdW7L1vM 24-35 12- . 2028-12-31 AAA Certificate Services
        AG1751Vd2CAmRCxPGieoDomhmJy4ezREjtIZTBgZbV4 24- 12- . 2029-12-31 COMODO Certification Authority
        58qRu/uxh4gFezqAcERupSkRYBlBAvfcw7mEjGPLnNU 24- 12- 2027-04-15 2038-01-18 COMODO ECC Certification Authority
        grX4Ta9HpZx6tSHkmCrvpApTQGo67CYDnvprLg5yRME 24- 12- 2028-04-15 2038-01-18 COMODO RSA Certification Authority
        sLVjNUaFYfW7n6EtgBeEpjOlcnBdNPMrZDRF36iwBdE 35- 18- 2036-03-22 2046-03-21
          Sectigo Public Server Authentication Root E46
        Douxi77vs4G+Ib/BogbTFymEYq0QSFXwSgVCaZcI09Q 35- 18- 2036-03-22 2046-03-21
          Sectigo Public Server Authentication Root R46
        RpHL/ehKa2BS3b4VK7DCFq4lqG5XR4E9vA8UfzOFcL4 24-26 . . 2028-12-31 Secure Certificate Services
        4tiR77c4ZpEF1TDeXtcuKyrD9KZweLU0mz/ayklvXrg 24-26 . . 2028-12-31 Trusted Certificate Services
        ICGRfpgmOUXIWcQ/HXPLQTkFPEFPoDyjvH7ohhQpjzs 24- 12- 2028-04-15 2038-01-18 USERTrust ECC Certification Authority
        x4QzPSC810K5/cMjb05Qm4k3Bw5zBn4lTdO/nEW/Td4 24- 12- 2028-04-15 2038-01-18 USERTrust RSA Certification Authority
        # Sonera
        0qXzLw4BuRDvTjtGv4Tlr1+1aJ59FQfpKeNorIjGzHY 24-33 12-15 . 2021-04-06 Sonera Class2 CA
        # SSL.com
        NIdnza073SiyuN1TUa7DDGjOxc1p0nbfOCfbxPWAZGQ 28- 12- 2031-02-12 2041-02-12
          SSL.com EV Root Certification Authority ECC
        fNZ8JI9p2D/C+bsB3LH3rWejY9BGBDeW0JhMOiMfa7A 28- 12- 2032-05-28 2042-05-30
          SSL.com EV Root Certification Authority RSA R2
        oyD01TTXvpfBro3QSZc1vIlcMjrdLTiL/M9mLCPX+Zo 28- 12- 2031-02-12 2041-02-12
          SSL.com Root Certification Authority ECC
        0cRTd+vc1hjNFlHcLgLCHXUeWqn80bNDH/bs9qMTSPo 28- 12- 2031-02-12 2041-02-12
          SSL.com Root Certification Authority RSA
        G/ANXI8TwJTdF+AFBM8IiIUPEv0Gf6H5LA/b9guG4yE 35- 18- 2037-08-25 2046-08-19 SSL.com TLS ECC Root CA 2022
        K89VOmb1cJAN3TK6bf4ezAbJGC1mLcG2Dh97dnwr3VQ 35- 18- 2037-08-25 2046-08-19 SSL.com TLS RSA Root CA 2022
        # Staat der Nederlanden
        lR7gRvqDMW5nhsCMRPE7TKLq0tJkTWMxQ5HAzHCIfQ0 24-33 12-16 . 2022-12-08 Staat der Nederlanden EV Root CA
        QiOJQAOogcXfa6sWPbI1wiGhjVS/dZlFgg5nDaguPzk 24-33 12-15 . 2028-11-13 Staat der Nederlanden Root CA - G3
        # Starfield
        FfFKxFycfaIz00eRZOgTf+Ne4POK6FgYPwhBDqgqxLQ 24-35 12- . 2034-06-29 Starfield Class 2 Certification Authority
        gI1os/q0iEpflxrOfRBVDXqVoWN3Tz7Dav/7IT++THQ 24- 12- 2027-04-15 2037-12-31
          Starfield Root Certificate Authority - G2
        KwccWaCgrnaw6tsrrSO61FgLacNgG2MMLq8GE6+oP5I 24- 12- 2027-04-15 2037-12-31
          Starfield Services Root Certificate Authority - G2
        # StartCom
        5C8kvU039KouVrl52D0eZSGf4Onjo4Khs8tmyTlV3nU 24-26 12-15 . 2036-09-17 StartCom Certification Authority
        FSg5faISiQqDCwuVpZlozvI0dzd531GBzxD6ZHU0u2U 24-26 12-17 . 2039-12-31 StartCom Certification Authority G2
        # Swisscom
        NJn5P9OUUjv7HsTDrU37MQEx++nuVHa95ild6AjV3Y8 24-26 12-17 . 2025-08-18 Swisscom Root CA 1
        y26RcRrW1VyJBvN5ywcftcR5M2VKdBVhLu5mKfJvvNc 24-26 12-17 . 2031-06-25 Swisscom Root CA 2
        9GPFTZ8aBHrtUmVqx4Xgfr7FKOAge/0/VdiTI3Zo9q4 24-26 12-17 . 2031-06-25 Swisscom Root EV CA 2
        # SwissSign
        QPz8KIddzL/ry99s10MzEtpjxO/PO9extQXCICCuAnQ 24- 12- . 2036-10-25 SwissSign Gold CA - G2
        68l4rg3Z5YItaxllJZb2IMk9fK76lSGRywUKYyypAF8 37- . 2037-06-08 2047-06-08 SwissSign RSA TLS Root CA 2022 - 1
        kxgib4yDr+R/X0fCT1nOEtuoxzsYG+5rLqH0Cga8GGk 24-35 12- . 2036-10-25 SwissSign Silver CA - G2
        # T-Systems Enterprise Services
        YQbA46CimYMYdRJ719PMGFmAPVEcrBHrbghA3RZvwQ4 24- 12- 2027-04-15 2033-10-01 T-TeleSec GlobalRoot Class 2
        jXZ3ZLPL2giSnQcqIqVh9NzdG8V9PL3clIxH0rR/kSI 24- 12- 2027-04-15 2033-10-01 T-TeleSec GlobalRoot Class 3
        # TAIWAN-CA
        BmALlMAxi7aWfwx3h8yKEDKhecTpXjxXYLMuKQ9/7Js 36- . 2037-11-22 2047-11-22 TWCA CYBER Root CA
        xES1tmzl1x4bXkDyc4XJXL/SSgW1b3DKwJkvD1DDN5w 24- 12- 2029-04-15 2030-12-31 TWCA Global Root CA
        ksRoeWJu8swezqUMcvteOFhECV8hy/Oyg8uC5rn8alg 24- 12- 2027-04-15 2030-12-31 TWCA Root Certification Authority
        # Telia Company AB
        TIIdfYmt8IwelRySuEG0o8GCYbnOQm8zfMDjgFSZug4 . . 2038-11-15 2048-05-23 Telia EC TLS Root CA v3
        U2z9ropiV78UJmxDKFlY0Pm5N+MGjiohU3QXATOp/8w . . 2038-11-15 2048-05-23 Telia RSA TLS Root CA v3
        # Telia Finland Oyj
        wrPDGkophQqo889HKhFp/3G0FlefakSC7HdEuD35iKw 34- 17- 2033-11-28 2043-11-29 Telia Root CA v2
        # TeliaSonera
        ELo0hcqLtogKuVMaQGPkABVVVhx/LgVRZfSbLXT8X2s 24- 12- . 2032-10-18 TeliaSonera Root CA v1
        # thawte
        HXXQgxueCIU5TTLHob/bPbwcKOKw6DkfsTWYHbxbqTY 24-30 12-17 . 2036-07-16 thawte Primary Root CA
        Z9xPMvoQ59AaeaBzqgyeAhLsL/w9d54Kp/nA8OHCyJM 24-30 12 . 2038-01-18 thawte Primary Root CA - G2
        GQbGEk27Q4V40A4GbVBUxsN/D6YCjAVUXgmU7drshik 24-30 12-17 . 2037-12-01 thawte Primary Root CA - G3
        # TrustAsia Technologies
        hoWthQ9/Vs0WlDvLcLQ05zVuG4vcYTQG4uqN5GCStjY 35- . 2036-05-20 2046-05-19 TrustAsia Global Root CA G3
        B6KQTUv/lgTqEzGumQ6f/jMSMuaey4oIzUnY40dX20E 35- . 2036-05-20 2046-05-19 TrustAsia Global Root CA G4
        9GMuWHAcC9fa/H44MTVexDP8E3d94oZoPo7FCWTfBFI 37- . 2039-05-15 2044-05-15 TrustAsia TLS ECC Root CA
        ViiHLiRf5mFIuAut6snED2JS5kL6lZWuzks+ili4/UY 37- . 2039-05-15 2044-05-15 TrustAsia TLS RSA Root CA
        # TrustCor Systems S. de R.L.
        ev5LBxovH0b4upRKJtWE1ZYLkvtIw7obfKuEkF8yqs0 28-33 12-18 . 2029-12-31 TrustCor ECA-1
        6of0Yt7v/713daoqS34Py5HCLu5t9p7ZAQDMxzsxFHY 28-33 12-18 . 2029-12-31 TrustCor RootCert CA-1
        xj1oxkihi3dkHEJ6Zp1hyXaKVfT80DIurJbFdwApnPE 28-33 12-18 . 2034-12-31 TrustCor RootCert CA-2
        # Trustis
        qHRDs9iW6yV8zOmbla2pvIG5204xQqqama8JQssKSjo 24-33 12-16 . 2024-01-21 Trustis FPS Root CA
        # Trustwave
        JZaQTcTWma4gws703OR/KFk313RkrDcHRvUt6na6DCg 24- 12-18 . 2029-12-31 Secure Global CA
        dykHF2FLJfEpZOvbOLX4PKrcD2w2sHd/iA/G3uHTOcw 24- 12- . 2029-12-31 SecureTrust CA
        LgbK4fwgsgDm+3SFV6RES+yTF9//LkFRZp4PeUTwqeA 31- 16- . 2042-08-23 Trustwave Global Certification Authority
        SXEo/JBla4cpBIKyI++3IkD+nEIeeZON5fgRDLC+kFY 31- 16- . 2042-08-23
          Trustwave Global ECC P256 Certification Authority
        gosO7/JGVOj/WEGindXU4+0wlSykNCWnkoNAcgjTnRY 31- 16- . 2042-08-23
          Trustwave Global ECC P384 Certification Authority
        BRz5+pXkDpuD7a7aaWH2Fox4ecRmAXJHnN1RqwPOpis 24-35 12- . 2035-01-01 XRamp Global Certification Authority
        # Turkiye Bilimsel ve Teknolojik Arastirma Kurumu - TUBITAK
        VeAL4nfOsFRSmfJP2fh34qzzKFLbQ//NKbynSzm0yfo 27- 12- 2029-04-15 2043-10-25
          TUBITAK Kamu SM SSL Kok Sertifikasi - Surum 1
        # TÜRKTRUST Bilgi İletişim ve Bilişim Güvenliği Hizmetleri
        S3Lf7T7cy19JRWguKVcxoIZKxrW4Wxk+zS8GtJAMHP0 24-28 . . 2023-04-28
          TÜRKTRUST Elektronik Sertifika Hizmet Sağlayıcısı H5
        SiZZZm3AIDuRb1PYCtj2GsML6hYfSFzHUn5qWTfkkhY 24-26 . . 2023-12-16
          TÜRKTRUST Elektronik Sertifika Hizmet Sağlayıcısı H6
        # UniTrust
        XEGnOrLDXfzXcfb9bj6PrJtGnThsrdpWqVtkbrSMyjQ 29- . 2030-03-13 2038-12-31 UCA Extended Validation Root
        ElXKvoFS+mTflC96R0F+KflsHOEb+MhOy+KBXMEoCBA 29- . 2031-03-11 2040-12-31 UCA Global G2 Root
        # Unizeto Sp. z o.o.
        lzasOyXRbEWkVBipZFeBVkgKjMQ0VB3cXdWSMyKYaN4 24-27 12- . 2027-06-11 Certum CA
        # Unizeto Technologies
        qiYwp7YXsE0KKUureoyqpQFubb5gSDeoOoVxn6tmfrU 24- 12- 2027-04-15 2029-12-31 Certum Trusted Network CA
        aztX6eyI0bs9AWN/8zx2mLPJdYJV6fAeqRePPn87K1I 24- 12- 2028-04-15 2046-10-06 Certum Trusted Network CA 2
        # VeriSign
        SVqWumuteCQHvVIaALrOZXuzVVVeS7f4FGxxu6V+es4 24-30 12-17 . 2036-07-16
          VeriSign Class 3 Public Primary Certification Authority - G3
        UZJDjsNp1+4M5x9cbbdflB779y5YRBcV6Z6rBMLIrO4 24-30 12-17 . 2038-01-18
          VeriSign Class 3 Public Primary Certification Authority - G4
        JbQbUG5JMJUoI6brnx0x3vZF6jilxsapbXGVfjhN8Fg 24-30 12-18 . 2036-07-16
          VeriSign Class 3 Public Primary Certification Authority - G5
        lnsM2T/O9/J84sJFdnrpsFp3awZJ+ZZbYpCWhGloaHI 24-33 12-17 . 2037-12-01
          VeriSign Universal Root Certification Authority
        # VISA
        puEf8V7DJqXj8YrTOgVmlNyExpl2bQKKWtDv4ajlOsc 24-28 12-16 . 2022-06-24 Visa eCommerce Root
        # Wells Fargo WellsSecure
        qZlyzh9sWB0Al/YmGAYuUxV7Unbh7GZRoxVwV/BXszk 24-26 . . 2022-12-14 WellsSecure Public Root Certificate Authority
        # WISeKey
        ziTrBibe/YFoyWp3AfCTAWAP5d0NvOWOnJe4MK8C7yg 24-30 12- . 2037-12-11 OISTE WISeKey Global Root GA CA
        FJ8u5juaXlgDJAp3DcmR/C40ReYoMcJFpJvE8fc4/5w 24- 12- 2029-12-01 2039-12-01 OISTE WISeKey Global Root GB CA
        /Tcb6pdV/2DIgoyEm45SFd5TLWGwCYVfoK1jDZDu+C4 29- 14- 2032-05-09 2042-05-09 OISTE WISeKey Global Root GC CA
        # WoSign CA
        eu3d82sY+Ky3N5/hzhgyErI1DQeIq+DoJFe+m62tbVQ 24-26 . . 2044-11-08 CA WoSign ECC Root
        2xXABitSDzGKGdrP7NZPnno/vmCf1YZ5byCuAo6OMFg 24-26 . . 2039-08-08 CA 沃通根证书
        1qGEQ9NI25lPk0zNjmNdgzonrB5W+K+vfJfLT0Pqtos 24-26 . . 2039-08-08 Certification Authority of WoSign
        OBo/x6iwgvooYTpNB/LHVT9OGRjuB8qp6LfO3lqcoGo 24-26 . . 2044-11-08 Certification Authority of WoSign G2
        """
}
