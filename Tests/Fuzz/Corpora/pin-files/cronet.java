byte[] pin = Base64.decode("+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk=", Base64.DEFAULT);
builder.addPublicKeyPins("example.com", Collections.singleton(pin), true, new Date(2027 - 1900, 0, 1));
builder.enablePublicKeyPinningBypassForLocalTrustAnchors(false);
