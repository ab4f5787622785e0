package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Endpoint.Tls;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.serve.ServerUnderTest.Reply;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {

  private static final String BODY = ServerUnderTest.features(1, 1, 5);

  @TempDir private static Path temporary;
  private static Path models;
  private static Path keys;

  @BeforeAll
  static void publish() throws Exception {
    models = Files.createDirectories(temporary.resolve("models"));
    TellingModels.publish(models, 1);
    keys = SelfSigned.make(temporary.resolve("server.p12"));
  }

  @Test
  void whoShowsTheTokenIsAnsweredAndNobodyElse() throws Exception {
    Endpoint endpoint = new Endpoint("127.0.0.1", 0, Optional.empty(), Optional.of("s3cret-token"));
    try (ServerUnderTest server = start(endpoint, HttpClient.newHttpClient()).ready()) {
      for (String shown :
          new String[] {
            "Bearer wrong",
            "Bearer s3cret-toke",
            "Bearer s3cret-token2",
            "Bearer ",
            "Bearer",
            "Basic s3cret-token",
            "s3cret-token",
            ""
          }) {
        Reply reply = get(server, "/v2/models/model", shown);
        assertThat(reply.status()).as(shown).isEqualTo(401);
        assertThat(reply.error()).contains("Authorization").doesNotContain("s3cret");
        assertThat(reply.whole().headers().firstValue("WWW-Authenticate")).isPresent();
      }
      for (String path : new String[] {"/v2", "/metrics", "/nothing", "/v2/models/other"}) {
        assertThat(server.get(path).status()).as(path).isEqualTo(401);
      }
      assertThat(server.infer(BODY).status()).isEqualTo(401);
      assertThat(server.get("/v2/health/live").status()).isEqualTo(200);

      assertThat(get(server, "/v2/models/model", "Bearer s3cret-token").status()).isEqualTo(200);
      assertThat(get(server, "/metrics", "bearer  s3cret-token ").body())
          .contains("millrace_serve_requests_total{api=\"other\",status=\"401\"}");
    }
  }

  private static Reply get(ServerUnderTest server, String path, String authorization)
      throws Exception {
    return server.send(server.request(path).header("Authorization", authorization).GET().build());
  }

  @Test
  void aKeyStoreMakesItHttps() throws Exception {
    assertHttps(new Tls.Store(keys, SelfSigned.PASSWORD));
  }

  @Test
  void aCertificateAndItsKeyInPemMakeItHttps() throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), SelfSigned.PASSWORD.toCharArray());
    Path certificates = temporary.resolve("chain.pem");
    StringBuilder chain = new StringBuilder();
    for (Certificate certificate : store.getCertificateChain("server")) {
      chain.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    Files.writeString(certificates, chain);
    byte[] key = store.getKey("server", SelfSigned.PASSWORD.toCharArray()).getEncoded();
    Path keyFile = Files.writeString(temporary.resolve("key.pem"), pem("PRIVATE KEY", key));

    assertHttps(new Tls.Pem(certificates, keyFile));

    Files.writeString(keyFile, pem("ENCRYPTED PRIVATE KEY", key));
    assertThatThrownBy(() -> start(https(new Tls.Pem(certificates, keyFile)), trusting()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("key.pem", "BEGIN PRIVATE KEY", "openssl pkcs8");
    Files.writeString(keyFile, pem("PRIVATE KEY", new byte[20]));
    assertThatThrownBy(() -> start(https(new Tls.Pem(certificates, keyFile)), trusting()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem");
    assertThatThrownBy(() -> start(https(new Tls.Pem(keyFile, keyFile)), trusting()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem");
  }

  @Test
  void aKeyStoreThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> start(https(new Tls.Store(keys, "wrong")), trusting()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("server.p12", "password");
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----%n%s%n-----END %1$s-----%n"
        .formatted(what, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes));
  }

  private static void assertHttps(Tls tls) throws Exception {
    try (ServerUnderTest server = start(https(tls), trusting()).ready()) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      assertThat(server.infer(BODY).floats("values")).containsExactly(5, 1);
      assertThatThrownBy(
              () ->
                  HttpClient.newHttpClient()
                      .send(server.request("/v2").GET().build(), BodyHandlers.discarding()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  private static Endpoint https(Tls tls) {
    return new Endpoint("127.0.0.1", 0, Optional.of(tls), Optional.empty());
  }

  private static HttpClient trusting() throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server",
        KeyStore.getInstance(keys.toFile(), SelfSigned.PASSWORD.toCharArray())
            .getCertificate("server"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static ServerUnderTest start(Endpoint endpoint, HttpClient client) throws IOException {
    return ServerUnderTest.start(
        models, endpoint, ServerUnderTest.BATCHING, ServerUnderTest.LIMITS, client);
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerUnderTest server = start(ServerUnderTest.LOOPBACK, HttpClient.newHttpClient())) {
      Endpoint taken =
          new Endpoint("127.0.0.1", server.address().getPort(), Optional.empty(), Optional.empty());

      assertThatThrownBy(() -> start(taken, HttpClient.newHttpClient()))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("" + taken.port(), "--port");
    }
  }
}
