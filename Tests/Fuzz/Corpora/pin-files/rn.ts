await initializeSslPinning({'example.com': {includeSubdomains: true, publicKeyHashes: ['+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk=']}});
