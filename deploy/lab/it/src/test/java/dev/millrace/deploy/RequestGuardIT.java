package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** No web page gets a program into a cluster that the distribution has started. */
@ExtendWith(SharedCluster.class)
class RequestGuardIT {

  private static final String FORM =
      "--x\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--x--\r\n";

  @Test
  void aPageOfSomebodyElseIsRefused(TestCluster cluster) throws Exception {
    Configuration flink = cluster.cluster().configuration();
    URI rest =
        URI.create(
            "http://%s:%s/"
                .formatted(
                    flink.get(RestOptions.ADDRESS),
                    flink.get(RestOptions.BIND_PORT).split("-", -1)[0]));

    HttpResponse<String> asked = send(HttpRequest.newBuilder(rest.resolve("config")).GET().build());
    assertThat(asked.statusCode()).as(asked.body()).isEqualTo(200);
    assertThat(asked.body()).contains("\"web-submit\":false", "\"web-cancel\":false");

    HttpResponse<String> submitted =
        send(
            HttpRequest.newBuilder(rest.resolve("jobs"))
                .header("Origin", "http://evil.example")
                .header("Content-Type", "multipart/form-data; boundary=x")
                .POST(BodyPublishers.ofString(FORM))
                .build());
    assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(403);
    assertThat(submitted.body()).contains("a page of http://evil.example");
  }

  /** The cluster in one process, of {@code train} and others, finds the guard on its class path. */
  @Test
  void commandsHaveTheGuardOnTheirClassPath() throws IOException {
    Path home = Distribution.installation().home();

    assertThat(home.resolve("opt/rest/millrace-rest.jar")).exists();
    assertThat(Files.readString(home.resolve("bin/millrace"))).contains(":$home/opt/rest/*:");
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
