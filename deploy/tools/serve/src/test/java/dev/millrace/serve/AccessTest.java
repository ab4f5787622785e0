package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Endpoint.Access;
import dev.millrace.job.serve.Endpoint.Tls;
import dev.millrace.job.serve.Limits;
import dev.millrace.job.serve.SecretFile;
import dev.millrace.job.testing.TellingModels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    Path token = Files.writeString(temporary.resolve("token"), "s3cret-token\n");
    Endpoint endpoint = ServerUnderTest.endpoint(Optional.empty(), new Access.Token(token));
    try (ServerUnderTest server = ServerUnderTest.start(models, endpoint).ready()) {
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
        assertThat(reply.header("WWW-Authenticate")).isPresent();
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

  /** Health is for anybody: probes call a pod by its address. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "localhost:1 | - | 200",
        "127.0.0.1 | - | 200",
        "LOCALHOST | - | 200",
        "[::1]:8080 | - | 200",
        "localhost:1 | http://localhost:1 | 200",
        "localhost | https://localhost | 200",
        "evil.example | - | 403",
        "evil.example | http://evil.example | 403",
        "localhost.evil.example | - | 403",
        "localhost:1 | http://evil.example | 403",
        "localhost:1 | http://localhost:2 | 403",
        "localhost:1 | http://localhost | 403",
        "localhost:1 | null | 403",
        "localhost:1 | http://localhost:1.evil.example | 403"
      })
  void withoutATokenPagesOfOthersGetNothing(String host, String origin, int status)
      throws Exception {
    try (ServerUnderTest server = ServerUnderTest.start(models).ready()) {
      for (String type : new String[] {"application/json", "application/x-www-form-urlencoded"}) {
        String headers =
            "Host: %s\r\n%sContent-Type: %s\r\n"
                .formatted(host, origin == null ? "" : "Origin: %s\r\n".formatted(origin), type);
        assertThat(status(server, "POST /v2/models/model/infer", headers, BODY)).isEqualTo(status);
        assertThat(status(server, "GET /metrics", headers, "")).isEqualTo(status);
        assertThat(status(server, "GET /v2/health/ready", headers, "")).isEqualTo(200);
      }
    }
  }

  /** Other machines call a server by names that it doesn't know; pages still say who they are. */
  @Test
  void aServerForAnybodyMayBeCalledAnythingAndStillAnswersNoPagesOfOthers() throws Exception {
    try (ServerUnderTest server =
        ServerUnderTest.start(
                models, ServerUnderTest.endpoint(Optional.empty(), new Access.Anybody()))
            .ready()) {
      assertThat(status(server, "GET /v2", "Host: models.example\r\n", "")).isEqualTo(200);
      assertThat(
              status(
                  server, "GET /v2", "Host: models.example\r\nOrigin: http://evil.example\r\n", ""))
          .isEqualTo(403);
    }
  }

  private static int status(ServerUnderTest server, String line, String headers, String body)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "%s HTTP/1.1\r\n%sContent-Length: %s\r\nConnection: close\r\n\r\n%s"
                  .formatted(line, headers, body.length(), body)
                  .getBytes(US_ASCII));
      String reply = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return Integer.parseInt(reply.split(" ", 3)[1]);
    }
  }

  @Test
  void aTokenThatHasChangedIsReadAgainAndAnEmptyFileIsNot() throws Exception {
    Path token = Files.writeString(temporary.resolve("rotated"), "first-token");
    Endpoint endpoint = ServerUnderTest.endpoint(Optional.empty(), new Access.Token(token));
    try (ServerUnderTest server = ServerUnderTest.start(models, endpoint).ready()) {
      assertThat(get(server, "/v2", "Bearer first-token").status()).isEqualTo(200);

      Files.writeString(token, "second-token");

      await()
          .atMost(PATIENCE)
          .until(() -> get(server, "/v2", "Bearer second-token").status() == 200);
      assertThat(get(server, "/v2", "Bearer first-token").status()).isEqualTo(401);
    }
  }

  @Test
  void filesThatCannotBeReadAgainLeaveWhatTheyHadBefore() throws Exception {
    Path file = Files.writeString(temporary.resolve("again"), "one");
    List<String> read = new ArrayList<>();
    RereadFiles files = RereadFiles.read(List.of(file), () -> read.add(SecretFile.read(file)));

    files.look();
    Files.writeString(file, "");
    files.look();
    Files.delete(file);
    files.look();
    Files.writeString(file, "two");
    files.look();
    files.look();

    assertThat(read).containsExactly("one", "two");
  }

  @Test
  void aCertificateThatHasChangedIsReadAgain() throws Exception {
    Path store = temporary.resolve("renewed.p12");
    Files.copy(keys, store);
    Path renewed = SelfSigned.make(temporary.resolve("next.p12"));
    Endpoint endpoint = https(new Tls.Store(store, password(SelfSigned.PASSWORD)));
    try (ServerUnderTest server = ServerUnderTest.start(models, endpoint, trusting(keys)).ready();
        Caller next = trusting(renewed)) {
      URI address = server.address().resolve("/v2");
      assertThatThrownBy(() -> Caller.send(next.get(address)))
          .isInstanceOf(SSLHandshakeException.class);

      Files.copy(renewed, store, StandardCopyOption.REPLACE_EXISTING);

      await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(SSLHandshakeException.class)
          .until(() -> Caller.send(next.get(address)).status() == 200);
    }
  }

  /** It holds no thread and no place for longer than slow headers do. */
  @Test
  void aHandshakeThatIsNeverMadeEndsItsConnection() throws Exception {
    Limits limits = new Limits(1000, 10, Duration.ofMillis(200), 100, Duration.ZERO);
    try (ServerUnderTest server =
            ServerUnderTest.start(
                models,
                https(new Tls.Store(keys, password(SelfSigned.PASSWORD))),
                ServerUnderTest.BATCHING,
                limits);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(new byte[] {22, 3, 1});

      assertThat(lengthOfReply(socket)).isLessThan(100);
    }
  }

  /** A connection that is closed before its bytes have been read is reset. */
  private static int lengthOfReply(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes().length;
    } catch (SocketException e) {
      return 0;
    }
  }

  private static Reply get(ServerUnderTest server, String path, String authorization)
      throws Exception {
    return Caller.send(
        server.request(path).headers(headers -> headers.put("Authorization", authorization)));
  }

  @Test
  void aKeyStoreMakesItHttps() throws Exception {
    assertHttps(new Tls.Store(keys, password(SelfSigned.PASSWORD)));
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

    Path other = SelfSigned.make(temporary.resolve("other.p12"));
    KeyStore others = KeyStore.getInstance(other.toFile(), SelfSigned.PASSWORD.toCharArray());
    Files.writeString(
        keyFile,
        pem(
            "PRIVATE KEY",
            others.getKey("server", SelfSigned.PASSWORD.toCharArray()).getEncoded()));
    assertThatThrownBy(
            () -> ServerUnderTest.start(models, https(new Tls.Pem(certificates, keyFile))))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("key.pem", "chain.pem", "go together");
    Files.writeString(keyFile, pem("ENCRYPTED PRIVATE KEY", key));
    assertThatThrownBy(
            () -> ServerUnderTest.start(models, https(new Tls.Pem(certificates, keyFile))))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("key.pem", "BEGIN PRIVATE KEY", "openssl pkcs8");
    Files.writeString(keyFile, pem("PRIVATE KEY", new byte[20]));
    assertThatThrownBy(
            () -> ServerUnderTest.start(models, https(new Tls.Pem(certificates, keyFile))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem");
    assertThatThrownBy(() -> ServerUnderTest.start(models, https(new Tls.Pem(keyFile, keyFile))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem");
  }

  @Test
  void aKeyStoreThatCannotBeReadIsNamed() throws Exception {
    Path wrong = password("wrong");

    assertThatThrownBy(() -> ServerUnderTest.start(models, https(new Tls.Store(keys, wrong))))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("server.p12", "password");
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----%n%s%n-----END %1$s-----%n"
        .formatted(what, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes));
  }

  private static void assertHttps(Tls tls) throws Exception {
    try (ServerUnderTest server =
            ServerUnderTest.start(models, https(tls), trusting(keys)).ready();
        Caller stranger = Caller.plain()) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      assertThat(server.infer(BODY).floats("values")).containsExactly(5, 1);
      assertThatThrownBy(() -> Caller.send(stranger.get(server.address().resolve("/v2"))))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  private static Endpoint https(Tls tls) {
    return ServerUnderTest.endpoint(Optional.of(tls), new Access.ThisMachine());
  }

  private static Path password(String text) throws IOException {
    return Files.writeString(temporary.resolve("password"), text + "\n");
  }

  private static Caller trusting(Path store) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server",
        KeyStore.getInstance(store.toFile(), SelfSigned.PASSWORD.toCharArray())
            .getCertificate("server"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return Caller.of(context);
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerUnderTest server = ServerUnderTest.start(models)) {
      Endpoint taken =
          new Endpoint(
              "127.0.0.1",
              server.address().getPort(),
              OptionalInt.empty(),
              OptionalInt.empty(),
              Optional.empty(),
              new Access.ThisMachine());

      assertThatThrownBy(() -> ServerUnderTest.start(models, taken))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("" + taken.port(), "--port");
    }
  }
}
