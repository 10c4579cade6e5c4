extension RootTable {
    /// Of the organisations from A to F; the form is told at `RootTable`.
    static let aToF = """
        # AC Camerfirma
        ztQ5AqtftXtEIyLcDhcqT7VfcXi4CPlOeApv1sxr2Bg 24-33 12- . 2038-07-31 Chambers of Commerce Root - 2008
        knobhWIoBXbQSMUDIa2kPYcD0tlSGhjCi4xGzGquTv0 24-33 12- . 2038-07-31 Global Chambersign Root - 2008
        # AC Camerfirma SA CIF A82743287
        iir/vRocXRvcy7f1SLqZX5ZoBrP9DDoA+uLlLzyFOYk 24-28 12-17 . 2037-09-30 Chambers of Commerce Root
        Tq2ptTEecYGZ2Y6oK5UAXLqTGYqx+X78vo3GIBYo+K8 24-28 12-17 . 2037-09-30 Global Chambersign Root
        # ACCV
        BVcK5usPzrQhDm23lIa3CUyvIAQB4Um2Z3RBtfJeRJs 24- 15- 2028-04-15 2030-12-31 ACCVRAIZ1
        # Actalis
        JdSRPPWHCXQU0p0m9sGxlCzW1k6vRdD8+BUmrbqW0yQ 24- 12- 2028-04-15 2030-09-22 Actalis Authentication Root CA
        # Agence Nationale de Certification Electronique
        yUImLAx8CpW7FStxxCVW3b6aBPqDeDc1UNK3zifZUqM 34- . 2034-04-26 2044-04-26 TunTrust Root CA
        # Agencia Catalana de Certificacio (NIF Q-0801176-I)
        sh0qdDMYcSuhbzmRnZYaS6+6O8qaQ6dbH8/iLF1wyro 24-33 . . 2031-01-07 EC-ACC
        # Amazon
        ++MBgDH5WGvL9Bcn5Be30cRcL0f5O+NyoXuWtQdX1aI 26- 12- 2030-05-26 2038-01-17 Amazon Root CA 1
        f0KW/FtqTjs108NpYj42SrGvOB2PpxIVM8nWxjPqJGE 26- 12- 2030-05-26 2040-05-26 Amazon Root CA 2
        NqvDJlas/GRcYbcWE8S/IceH9cq77kg0jVhZeAPXq8k 26- 12- 2030-05-26 2040-05-26 Amazon Root CA 3
        9+ze1cZgR9KO1kZrVDxA4HQ6voHRCSVNz4RdTCx4U8U 26- 12- 2030-05-26 2040-05-26 Amazon Root CA 4
        # ANF Autoridad de Certificacion
        mlL/ajy241OghWfg3Jw5WzANYKIikquMGMFlaymDrpA 34- . 2034-09-04 2039-08-30 ANF Secure Server Root CA
        # AS Sertifitseerimiskeskus
        VhdNOtlxqJRJZLGJgR8wCEk6apBCLjxYBOyDjU+U9iI 24-30 12-14 . 2030-12-17 EE Certification Centre Root CA
        # Asseco Data Systems
        3ntpMunERYLODeB6vat+6pDHXW0qBzMd9XvVy4hVPRM 34- 16- 2033-03-26 2043-03-26 Certum EC-384 CA
        aB3EgsKWyEAsbrsg5oMJo7yEZSOuNLmEqE7ml6MxLbc 34- 16- 2033-03-16 2043-03-16 Certum Trusted Root CA
        # Atos
        5co3vHtsNhl5vGsSPKmh2wGQRtf/X1ffuFSxnRCwaC8 24- 12- . 2030-12-31 Atos TrustedRoot 2011
        w8CBGZLMvCwoLSwwAi286FfboqDPuZiH4zu2mGyRbq4 . 18- . 2040-12-10 Atos TrustedRoot Root CA ECC G2 2020
        YIljx4xFXm40sHJGis4JVs/xjTRkP58wW3Fi+hgZefw 35- 18- 2036-04-22 2041-04-17 Atos TrustedRoot Root CA ECC TLS 2021
        IelN2/pobLv7gCaJ9bDXaDVvtk42Hby36q0PQGvLMXE . 18- . 2040-12-10 Atos TrustedRoot Root CA RSA G2 2020
        98p3phDj1CRHJAaS29V8/RPPBCrNIGLmpiuHue2Bwac 35- 18- 2036-04-22 2041-04-17 Atos TrustedRoot Root CA RSA TLS 2021
        # BEIJING CERTIFICATE AUTHORITY
        68VfIeiNSe3oHAB1qwizxzuB8PM+N9dkGh0BtuYC3J0 34- . 2034-12-19 2044-12-12 BJCA Global Root CA1
        zJSloDGf93pMyt2CHExZZ05E1SgWy9Hf4sdhNwrU0hw 34- . 2034-12-19 2044-12-12 BJCA Global Root CA2
        # Buypass
        WVWuKRV0qTE0LPdFDhZlLt4eD7MJfhVx36wRyRVgFWQ 24- 12- 2028-04-15 2040-10-26 Buypass Class 2 Root CA
        sD2HsFbQjMnU5nXvGcqDq1NTIWioJYWYvnLm2Fx918E 24- 12- 2028-04-15 2040-10-26 Buypass Class 3 Root CA
        # Certainly
        HvZGJdqi5dQz10Sa4xogDRAl4AEqj+z6cJMvi1mbdd0 34- 16- 2036-04-01 2046-04-01 Certainly Root E1
        P5Pz/PedIl0hPu9qSj9Yhc+E/j16ejwRVTUXaIwOIQA 34- 16- 2036-04-01 2046-04-01 Certainly Root R1
        # Certinomis
        NuzGH8fl8ZI9Fn5n3940YIVJs0pjx8bmD/1cGEA4H1w 24-27 12-15 . 2028-09-17 Certinomis - Autorité Racine
        axpQXgJG8vYMSQ/wwJenvichDLt1ACN/iLDNSCmLybg 24-29 12-15 . 2033-10-21 Certinomis - Root CA
        # Certplus
        7JBW/pUJQRYJdjrugx7zfIMrdbPXJ1KPx8dSAcH/KOY 25-28 12-15 . 2038-01-15 Certplus Root CA G1
        U3VmJij6CmhArsjFkr9djeVk7T77YsfJMvyo11TZu9Y 25-29 12-15 . 2038-01-15 Certplus Root CA G2
        # certSIGN
        28HjoVI4oEg7zbj97GFuA+cFpI4qUBFXyt87nHMRxeU 24- 12- . 2031-07-04 certSIGN ROOT CA
        # CERTSIGN SA
        y617HThISd8JRrfujn9ffOOu2Hb9p7ydMNixbyn/LFM 31- 16- 2032-02-06 2042-02-06 certSIGN ROOT CA G2
        # China Financial Certification Authority
        3V7RwJD59EgGG6qUprsRAXVE6e76ogzHFM5sYz9dxik 24- 12- 2029-04-15 2029-12-31 CFCA EV ROOT
        # China Internet Network Information Center
        ndVfxXP1RstqODHRES2HEKb0+C3If1+unToaAo3Tbks 24-26 . . 2030-08-31
          China Internet Network Information Center EV Certificates Root
        # Chunghwa Telecom
        YlVMFwBVQ7I3IV8EJo3NL9HEcCQK08hmDiWuLFljD1U 24- 12- . 2034-12-20 ePKI Root Certification Authority
        ecqvU0fm5KlMjniphJb8dAIPgJ7eE/Ig+rYQTI3tMp8 34- 17- 2034-02-22 2037-12-31 HiPKI Root CA - G1
        # CommScope
        jSI7pQB9gEycxgfJAOMuIGZsWkn8KdVa0S37aNcu5Xs 35- . . 2046-04-28 CommScope Public Trust ECC Root-01
        aEGZXt5nhIiC8wpdHuid35m0rGfkElP3yta+bScFQAc 35- . . 2046-04-28 CommScope Public Trust ECC Root-02
        5Ok5JSr+cL2fHNKVAwMTuqQNVYZB81sjtHFLQ+gfVDY 35- . . 2046-04-28 CommScope Public Trust RSA Root-01
        hr12jNpU4W1TMQS4i4DJjDrHD1kwkqbhukONN/TqTtI 35- . . 2046-04-28 CommScope Public Trust RSA Root-02
        # ComSign
        wGyHL8LQrAjXjUIZgfvaTjVQDQlG95iU7dIawp3sBxk . 12- . 2036-07-16 ComSign Global Root CA
        # Cybertrust Japan
        4U5RiR80kiQ+6mE7wsgU1HIksiTFfTgWnpWOMLPe3uQ 36- . . 2040-04-08 SecureSign Root CA12
        WBzBWCEWlpTDnCmRtT6Tq5RaQrB2Zhd0wuzzijMjrOo 36- . 2035-04-08 2045-04-08 SecureSign Root CA14
        8AEfkvz5vjbHpbNue8hiqyDpTvNv6opWHbCo13UMH1E 36- . 2035-04-08 2045-04-08 SecureSign Root CA15
        # D-Trust
        YD928oyf66g+x1HttmyNdSPqQP5J/nRCdin1Dau89Vo 34- . 2035-02-11 2035-02-11 D-TRUST BR Root CA 1 2020
        rHb2OkbnYbWswyWXBckgy38FY9JI2NGA+TSvaAmaFfk 36- . 2038-05-09 2038-05-09 D-TRUST BR Root CA 2 2023
        nTfkqYnqs4gtEWBS/ItYRGcCy1k3JuRgTDeVlAxxA+I 34- . 2035-02-11 2035-02-11 D-TRUST EV Root CA 1 2020
        51PN2fE0E8fKnNqCli+MDOXtE9FlcxKVSvUmfrLLfHk 36- . 2038-05-09 2038-05-09 D-TRUST EV Root CA 2 2023
        1JxvKJzQVlGUkkgPGS8Apvx8GGLasue12OBfZnj64UE . 12- . 2028-09-20 D-TRUST Root CA 3 2013
        7KDxgUAs56hlKzG00DbfJH46MLf0GlDZHsT5CwBrQ6E 24- 12- 2027-04-15 2029-11-05 D-TRUST Root Class 3 CA 2 2009
        /zQvtsTIvTCkcG9zSJU58Z5uSMwF9GJUZU9mENvFQOk 24- 12- 2027-04-15 2029-11-05 D-TRUST Root Class 3 CA 2 EV 2009
        # Deutsche Telekom Security
        6rDeWkZBkBCwGy1VVT/BEaqCtD2Tle3+rqqMduatGZU 36- . 2035-08-25 2045-08-25 Telekom Security TLS ECC Root 2020
        DgXpuyOGnraJ3FaDnc7EdaOudfprULxaSXg2DL5nMyM 36- . 2038-03-28 2048-03-27 Telekom Security TLS RSA Root 2023
        # Dhimyotis
        UQ0g5cR/Y89mayD2GvYrwJmkKsgk/6RDotp8kLGAipE 24- 12- . 2027-06-29 Certigna
        joBG7EysAVpQfODS0BVKS0Do5CsxZc+lRlcUNREtF+U 29- . 2029-04-15 2033-10-01 Certigna Root CA
        # DigiCert
        Y9mvm0exBk1JoQ57f9Vm28jKo5lFm/woKcVxrYxu80o 24-35 12-18 . 2025-05-12 Baltimore CyberTrust Root
        foeCwVDOOVL4AuY2AjpdPpW7XWjjPoWtsroXgSXOvxU 24-33 . . 2021-12-15 Cybertrust Global Root
        I/Lt/z7ekCWanjD0Cvj5EqXls2lOaThEA0H2Bg4BT/o 24- 12- . 2031-11-10 DigiCert Assured ID Root CA
        8ca6Zwz8iOTfUpc8rkIPCgid1HQUT+WAbEIAZOFZEik 24- 12- 2029-04-15 2038-01-15 DigiCert Assured ID Root G2
        Fe7TOVlLME+M+Ee0dzcdjW/sYfTbKwGvWJ58U7Ncrkw 24- 12- 2029-04-15 2038-01-15 DigiCert Assured ID Root G3
        r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E 24- 12- . 2031-11-10 DigiCert Global Root CA
        i7WTqTvh0OioIruIfFR4kMPnBqrS2rdiVPl/s2uC/CY 24- 12- 2029-04-15 2038-01-15 DigiCert Global Root G2
        uUwZgwDOxcBXrQcntwu+kYFpkiVkOaezL0WYEZ3anJc 24- 12- 2029-04-15 2038-01-15 DigiCert Global Root G3
        WoiWRyIOVNa9ihaBciRSC7XHjliYS9VwUGOIud4PB18 24- 12- . 2031-11-10 DigiCert High Assurance EV Root CA
        oC+voZLIy4HLE0FVT5wFtxzKKokLDRKY1oNkfJYe+98 34- 18- 2036-01-15 2046-01-14 DigiCert TLS ECC P384 Root G5
        ape1HIIZ6T5d7GS61YBs3rD4NVvkfnVwELcCRW4Bqv0 34- 18- 2036-01-15 2046-01-14 DigiCert TLS RSA4096 Root G5
        Wd8xe/qfTwq3ylFNd3IpaqLHZbh2ZNCLluVzmeNkcpw 24- 12- 2029-04-15 2038-01-15 DigiCert Trusted Root G4
        hqaPBQA0EmpUDTnbLF+RfvZqlPuWGfoezYJ86ka6DLA 24- 12- 2029-04-15 2042-01-12 QuoVadis Root CA 1 G3
        j9ESw8g3DxR9XM06fYZeuN1UB4O6xp/GAIjjdD/zM3g 24- 12- . 2031-11-24 QuoVadis Root CA 2
        SkntvS+PgjC9VZKzE1c/4cFypF+pgBHMHt27Nq3j/OU 24- 12- 2029-04-15 2042-01-12 QuoVadis Root CA 2 G3
        DHrKpxAiZyC7yUA0nuLmFIZSqJ2/QGojLIlfbceOu5o 24- 12- . 2031-11-24 QuoVadis Root CA 3
        80OOI7POUyUi+s8weSP1j9GGCOm6et3DDpUrQ8SWFsM 24- 12- 2029-04-15 2042-01-12 QuoVadis Root CA 3 G3
        vj23t5v+V53PmwfKTK11r/FpdVaOW0XPyuTWH7Yxdag 24-33 12-15 . 2021-03-17 QuoVadis Root Certification Authority
        # Disig
        a8/IbI3cKvLmoRgKLdq7N7fqN1Uxa2S5uJUb8Mo1HwY 24-29 12-15 . 2042-07-19 CA Disig Root R1
        cCEWzNi/I+FkZvDg26DtaiOanBzWqPWmazmvNZUCA4U 24- 12- 2029-04-15 2042-07-19 CA Disig Root R2
        # e-commerce monitoring
        /uivkpF1aH9GOKP8mD247NDl4qg+c38/t3tMIvy6wKY 34- 16- . 2040-06-10 GLOBALTRUST 2020
        # E-Tuğra EBG Bilişim Teknolojileri ve Hizmetleri
        wa0bGJjsOVBI3wcL+iF+JckTvtjKa3PeCFUohGoBA8E 24-33 12-16 . 2023-03-03 E-Tugra Certification Authority
        # EDICOM
        sPbxW0gX6+b+C0v819Os5MdYsKtvip2i7ZLmGCOdnJg 24-27 . . 2028-04-13 ACEDICOM Root
        # eMudhra
        6rwYXE6C2UKxpZeLo8AYFIfWs7mXTlxJ9y9tC9ljcVA 30- . 2033-02-18 2043-02-18 emSign ECC Root CA - C3
        t0CLTSvgI4ujcATdNOJ2xgGb0vJMnbfUmA9fbDWaS8w 30- . 2033-02-18 2043-02-18 emSign Root CA - C1
        # eMudhra Technologies
        jUF9st2L9eMITR4/GW1YOEnYG91MAMcLnTk2npa4x4I 30- 15- 2033-02-18 2043-02-18 emSign ECC Root CA - G3
        N2oacIKlk9zMINVh0Rnpq40w8RzDIdCjf6QfDfKE4Bw 30- 15- 2033-02-18 2043-02-18 emSign Root CA - G1
        # Entrust
        bEZLmlsjOl6HTadlwm8EUBDS3c/0V5TwtMfkqvpQFJU 24- 12- . 2030-12-31 AffirmTrust Commercial
        lAcq0/WPcPkwmOWl9sBMlscQvYSdgxhJGa6Q64kK5AA 24- 12- . 2030-12-31 AffirmTrust Networking
        x/Q7TPW3FWgpT4IrU3YmBfbd0Vyt7Oc56eLDy6YenWc 24- 12- . 2040-12-31 AffirmTrust Premium
        MhmwkRT/SVo+tusAwu/qs0ACrl8KVsdnnqCHo/oDfk8 24- 12- . 2040-12-31 AffirmTrust Premium ECC
        bb+uANN7nNc/j7R95lkXrwDg3d9C286sIMF8AnXuIJU 24-36 12- . 2026-11-27 Entrust Root Certification Authority
        /qK31kX7pz11PB7Jp4cMQOH3sMVh6Se5hb9xGGbjbyI 24-36 12- . 2037-12-18 Entrust Root Certification Authority - EC1
        du6FkDdMcVQ3u8prumAo6t3i3G27uMP2EOhR8R0at/U 24-36 12- . 2030-12-07 Entrust Root Certification Authority - G2
        NtfHnz0Img/3mXLZCSPepcp2tMy698J1HLFS6UlPUtA 30-35 15- . 2037-12-27 Entrust Root Certification Authority - G4
        HqPF5D7WbC2imDpCpKebHpBnhs6fG1hiFBmgBGOofTg 24-35 12- . 2029-07-24 Entrust.net Certification Authority (2048)
        # Firmaprofesional
        Ow1ztL5KhUrcPlHX75+kiu+7LN2CTWe9x9fQmiq8LUM 24- 12- 2027-04-15 2036-05-05
          Autoridad de Certificacion Firmaprofesional CIF A62634068
        # Firmaprofesional SA
        LbKuTQ0IpNx7elyRGza0LjBo0uWGV++mGi8vacVTuFg 36- . . 2047-03-31 FIRMAPROFESIONAL CA ROOT-A WEB
        # FNMT-RCM
        L8VmekuaJnjtasatJUZfy/YJS/zZUECXx6j6R63l6Ig 26- 12- 2027-04-15 2030-01-01 AC RAIZ FNMT-RCM
        RTt0gJtpAZYn8vhDAB21lQzdHUU3EFPn89/bw3FBE8Y 34- . 2033-12-20 2043-12-20 AC RAIZ FNMT-RCM SERVIDORES SEGUROS
        """
}
