print("pinproof")
