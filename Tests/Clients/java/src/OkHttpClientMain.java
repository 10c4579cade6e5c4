import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp with its own CertificatePinner. `twice`: two requests, on two connections and, where it may be, one session. */
final class OkHttpClientMain {
    public static void main(String[] arguments) {
        Fixture.run(() -> {
            X509TrustManager trust = Fixture.trustManager();
            OkHttpClient.Builder builder = new OkHttpClient.Builder()
                    .proxy(Fixture.proxy())
                    .sslSocketFactory(Fixture.context(trust).getSocketFactory(), trust)
                    .connectTimeout(Fixture.TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .readTimeout(Fixture.TIMEOUT_MS, TimeUnit.MILLISECONDS);
            if (!Fixture.PIN.isEmpty()) {
                builder.certificatePinner(new CertificatePinner.Builder()
                        .add(Fixture.ADDRESS.getHost(), "sha256/" + Fixture.PIN).build());
            }
            OkHttpClient client = builder.build();
            if (arguments.length > 0) {
                ask(client);
                client.connectionPool().evictAll();
            }
            return ask(client);
        });
    }

    private static String ask(OkHttpClient client) throws Exception {
        Request request = new Request.Builder().url(Fixture.ADDRESS.toURL()).build();
        try (Response response = client.newCall(request).execute()) {
            return response.body().string();
        }
    }
}
