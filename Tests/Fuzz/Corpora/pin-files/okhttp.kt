private const val PIN = "sha256/+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk="
val pinner = CertificatePinner.Builder()
    .add("*.example.com", PIN)
    .add("api.example.com", "sha256/" + "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=")
    .build()
val client = OkHttpClient.Builder().certificatePinner(pinner).build()
