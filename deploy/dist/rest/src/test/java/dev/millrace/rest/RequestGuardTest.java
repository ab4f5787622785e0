package dev.millrace.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends to a real JobManager what browsers send for other people's pages. */
class RequestGuardTest {

  /** A form may go anywhere without the browser asking first; a job is submitted by one. */
  private static final String FORM =
      """
      --x
      Content-Disposition: form-data; name="request"

      {}
      --x
      Content-Disposition: form-data; name="jarfile"; filename="evil.jar"
      Content-Type: application/x-java-archive

      PK
      --x--
      """
          .replace("\n", "\r\n");

  @TempDir private static Path uploads;
  private static MiniCluster cluster;
  private static URI address;

  @BeforeAll
  static void start() throws Exception {
    Configuration flink = new Configuration();
    flink.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    flink.set(RestOptions.ADDRESS, "127.0.0.1");
    flink.set(RestOptions.BIND_PORT, "0");
    flink.set(WebOptions.TMP_DIR, uploads.toString());
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(flink)
                .setNumTaskManagers(1)
                .build());
    cluster.start();
    address = cluster.getRestAddress().get();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /config, 127.0.0.1:PORT, , 200",
    "GET /config, localhost:PORT, http://localhost:PORT, 200",
    "GET /config, evil.example:PORT, , 403",
    "GET /config, 127.0.0.1:PORT, http://evil.example, 403",
    "GET /config, 127.0.0.1:PORT, null, 403",
    "GET /config, 127.0.0.1:PORT, http://127.0.0.1:1, 403",
    "POST /jobs, evil.example:PORT, http://evil.example:PORT, 403",
    "POST /jobs, 127.0.0.1:PORT, http://evil.example, 403",
    // Clients submit so; Flink refuses this one for what is in it.
    "POST /jobs, 127.0.0.1:PORT, , 400",
  })
  void onlyOwnPagesAndClientsThatAreNoBrowsersAreAnswered(
      String request, String host, String originOrNull, int status) throws IOException {
    String answer = send(request, atPort(host), originOrNull == null ? null : atPort(originOrNull));

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    if (status == 403) {
      assertThat(answer).contains("this JobManager");
    }
  }

  @Test
  void aRefusedFormLeavesNoFile() throws IOException {
    assertThat(send("POST /jobs", atPort("127.0.0.1:PORT"), "http://evil.example"))
        .startsWith("HTTP/1.1 403");

    try (Stream<Path> files = Files.walk(uploads)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  private static String atPort(String text) {
    return text.replace("PORT", Integer.toString(address.getPort()));
  }

  private static String send(String request, String host, String originOrNull) throws IOException {
    String body = request.startsWith("POST") ? FORM : "";
    String head =
        request
            + " HTTP/1.1\r\nHost: "
            + host
            + (originOrNull == null ? "" : "\r\nOrigin: " + originOrNull)
            + (body.isEmpty() ? "" : "\r\nContent-Type: multipart/form-data; boundary=x")
            + "\r\nContent-Length: "
            + body.length()
            + "\r\nConnection: close\r\n\r\n";
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write((head + body).getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }
}
