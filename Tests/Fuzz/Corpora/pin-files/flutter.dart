final ok = await HttpCertificatePinning.check(serverURL: 'https://example.com', headerHttp: {}, sha: SHA.SHA256, allowedSHAFingerprints: ['AA BB CC DD EE FF 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 00 11 22 33 44 55 66 77 88 99'], timeout: 50);
client.badCertificateCallback = (cert, host, port) => true;
