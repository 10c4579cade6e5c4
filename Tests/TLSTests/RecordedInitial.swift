/// The client's Initial packet of RFC 9001 §A.2, as it goes over the wire, in base64.
enum RecordedInitial {
    static let rfc9001 =
        "wAAAAAEIg5TI8D5RVwgAAESee5rsNNGxyY3XaJ+47BHSQrEj3JvYurk2tH2S7DVsC6t99ZdtJ81En2MwAJnzmRwmDsTGDRezH4Qp"
        + "FXuzWhKCpkOo0iYsrWdQDK245zeMjrdTnsTUkF/tG+4fyKr7oXx1Dix6zgHmAF+A/LffYhIwyDcRs5ND+gKM6n9/tf+J6sIwgkmg"
        + "IlIVXiNHtj1YxUV6/YTQXf/9sgOShEroEhVGgunPAS+QIabwvhfd0MIITc4l/5sGzeU10Pkgotsb82LCPlltEaT1ps85SIOKOuxO"
        + "Fdr4UApu9p7E4/62sdmOYQrIt+w/r2rXYLe60dtLo0heipTcJQrj/bQe0V+2qOXroPw91gvI4wxcQoflOAXbBZrgZI2y9kJk7V45"
        + "vi4g2C31ZtqN1ZmMyr2uBTBgrmx7Q3joRtKfN+17TqnsXYLnlht/JakyOFH2gdWCNjql+Jk39aZyWL9jrW8aCx2W29T63fzvxSZr"
        + "pmEXIjlckGVWvlKv4/VlY2rRsX1Qi3PYdD7rUkviKz3LwsdGjVQRnHRoRJoT2OO5WBGhmPNJHePn/pQrMwQHq/gqTtfBsxFmOsaY"
        + "kPQVcBWFPZHpIwN8InozzdXsKByj95xEVGudkMoA8GTJnj3ZeRHTn+nF0LI6IpojTLNhhsSBnoucWSdyZjIpHWpBghHMKWLiD+R/"
        + "6z7fMw8sYDqdSMD8tWmdv+WJZCXFusSu6C5XqFqvTiUT5PBXlrB7ou5H2AUG+NLCXlD9FN5x5sQYVZMC+Tmw4avVdvJ5xLLg/rhc"
        + "Hyj/GPWIkf/vEy7vL6CTRq7jPCjrEw/yj1t2aVMzQRMhGZbSABGhmOP8Qz+fJUEBCuF8G/ICWA9gR0cvs2hX/oQ7GfWYQAndwyQE"
        + "ToR6T0oKs09xlZXeNyUtYjU2XpuEOSsGEIU0nXMgOkoT6W9UMuwP1KHuZazN1eOQTfVMHaUQsP8g3MDHf8ssDg62BcsFBNuHYyzz"
        + "2LTa5ucFdp0d41QnASPLEUUO/GCsR2g9e40PgRNlVl/ZjEyOuTa8q40Gn8M72AGwOt6i4fvFqkY9CMoZiW0r9ZoHG4UebCOQUhcv"
        + "KWv7XnJAR5CiGBAU87lKTpfRF7Q4EwNozDnbstGYBlrjmGVHkmzSFi9Aop8MPIdFwPUPujhS5WbURXXCnTmgPwzachmEtvRAWR81"
        + "XhLUOf8VCqt2E0mdvUmtq8hnbu8COxW2W/xcoGlIEJ8j81DbghI1NeuKdDO9q8uQknGm7Ly1i5NqiM1Ojy5v9YABdfETJT2PqcqI"
        + "hcL1UuZX3GA/JS4ajjCPdvC+eeL7j11fu+LjDsrdIgcjyMCuqAeM38s4aCY/+PCUAFTaSHgYk6fkmtWv9K8wDNgEprYnmrP/Ovtk"
        + "SRyFGUqrdg1YpgZlT59EAOizhZE1b79kJayibchSRCWf8rGcQbn5bzyp7B3eQ02n0tOSuQXd89H5r5PRr1lQvUk/WqcxtAVt8xvS"
        + "Z7a5CgeYMar1eb4KOQExN6rG1AT1GM/UaEBkfni/5wbKTPXpxUU+n3z9K4tMjRaaROVciNSpp/lHQkHiIa9EhgAYqwhWly4ZTNk0"
}
