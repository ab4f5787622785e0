package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.testing.Mutation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests that are wrong in some way, or in several. */
final class FuzzedRequests {

  /** What HTTP has for methods, encodings and versions that nobody knows. */
  private static final Set<Integer> OF_HTTP = Set.of(501, 505);

  private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.[01] (\\d{3})");

  private static final String BODY =
      "{\"id\":\"a\",\"inputs\":[{\"name\":\"features\",\"shape\":[2,4],\"datatype\":\"FP32\","
          + "\"data\":[[5.1,3.5,1.4,0.2],[6.2,2.9,4.3,1.3]]}],\"outputs\":[{\"name\":\"class\"}]}";

  private static final List<String> PIECES =
      lines(
          """
          null
          true
          -1
          0
          1e999
          -1e-999
          99999999999999999999
          4.0
          ""
          "x"
          []
          {}
          [[[[[[
          ]]]
          }}}}
          {"a":
          ,
          :
          "
          \\
          \\u0000
          \\ud800
          NaN
          Infinity
          2147483648
          4294967296
          FP64
          INT8
          BYTES
          BOOL
          words
          data
          shape
          inputs
          \0
          ü
          //
          /*
          1,2,3,4,5,6,7,8
          """);

  private static final List<String> LINES =
      lines(
          """
          GET /v2/models/model/infer HTTP/1.1
          POST /v2/models/model/infer HTTP/1.0
          POST /v2/models/model/infer HTTP/9.9
          POST /v2/models/model/infer
          POST //v2//models/model/infer HTTP/1.1
          POST /v2/../v2/models/model/infer HTTP/1.1
          POST /v2/models/%00/infer HTTP/1.1
          POST /v2/models/%zz/infer HTTP/1.1
          POST /v2/models/model/versions/%2e%2e/infer HTTP/1.1
          POST * HTTP/1.1
          OPTIONS * HTTP/1.1
          CONNECT x:1 HTTP/1.1
          TRACE / HTTP/1.1
          BREW /v2 HTTP/1.1
          POST http://other/v2/models/model/infer HTTP/1.1
          DELETE /v2/models/model HTTP/1.1
          POST /v2/models/model/infer?a=%ff;b HTTP/1.1
          HEAD /v2 HTTP/1.1
          PRI * HTTP/2.0
          """);

  private static final List<String> HEADERS =
      lines(
          """
          Content-Length: -1
          Content-Length: 99999999999
          Content-Length: 5
          Content-Length: x
          Content-Length: 0
          Transfer-Encoding: chunked
          Transfer-Encoding: gzip, chunked
          Transfer-Encoding: identity
          Content-Encoding: gzip
          Content-Type: text/plain
          Content-Type:
          Content-Type: application/json; charset=utf-99
          Expect: 100-continue
          Expect: 200-ok
          Connection: upgrade
          Upgrade: h2c
          Host: a, b
          Host: [::1
          Host:
          Origin: null
          Origin: http://other.example
          Origin: http://[
          Authorization: Bearer ÿ
          Accept: ;q=7
          Range: bytes=9-1
          X: \1
          : no name
          no colon
          Accept-Encoding: br;q=x
          Inference-Header-Content-Length: 12
          Cookie: $Version=9;;=
          Forwarded: for="
          X-Long: LONG
          """);

  private FuzzedRequests() {}

  private static List<String> lines(String text) {
    return text.replace("LONG", "x".repeat(20_000)).lines().toList();
  }

  /**
   * Sends some, each over a connection of its own, and checks each answer.
   *
   * @return how many there were of each status; 0 for none
   */
  static Map<Integer, Integer> send(int port, int count, long seed) throws IOException {
    Random random = new Random(seed);
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] request = request(random);
      String reply = exchange(port, request);
      Matcher matcher = STATUS.matcher(reply);
      int found = 0;
      while (matcher.find()) {
        int status = Integer.parseInt(matcher.group(1));
        assertThat(status < 500 || OF_HTTP.contains(status))
            .as("seed %d, request %d: %s gave %s", seed, i, new String(request, ISO_8859_1), reply)
            .isTrue();
        statuses.merge(status, 1, Integer::sum);
        found++;
      }
      if (found == 0) {
        statuses.merge(0, 1, Integer::sum);
      }
    }
    return statuses;
  }

  /** A body alone, wrong most often. */
  static byte[] body(Random random) {
    String body = random.nextInt(8) == 0 ? BODY : mutated(BODY, random);
    byte[] bytes = body.getBytes(UTF_8);
    return random.nextInt(4) == 0 ? Mutation.of(bytes, random) : bytes;
  }

  private static byte[] request(Random random) {
    String line =
        random.nextInt(8) == 0 ? pick(LINES, random) : "POST /v2/models/model/infer HTTP/1.1";
    byte[] bytes = body(random);
    StringBuilder head = new StringBuilder(line).append("\r\n");
    head.append("Host: localhost\r\nContent-Type: application/json\r\n");
    if (random.nextInt(8) != 0) {
      head.append("Content-Length: ").append(bytes.length).append("\r\n");
    }
    while (random.nextInt(5) == 0) {
      head.append(pick(HEADERS, random)).append("\r\n");
    }
    head.append("\r\n");
    byte[] first = head.toString().getBytes(ISO_8859_1);
    if (random.nextInt(10) == 0) {
      first = Mutation.of(first, random);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(first);
    int length = random.nextInt(10) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
    all.write(bytes, 0, length);
    return all.toByteArray();
  }

  private static String mutated(String text, Random random) {
    StringBuilder mutated = new StringBuilder(text);
    for (int i = 0; i <= random.nextInt(4); i++) {
      int from = random.nextInt(mutated.length());
      int to = Math.min(mutated.length(), from + random.nextInt(6));
      switch (random.nextInt(4)) {
        case 0 -> mutated.delete(from, to);
        case 1 -> mutated.insert(from, pick(PIECES, random));
        case 2 -> mutated.replace(from, to, pick(PIECES, random));
        default -> mutated.insert(from, mutated.substring(from, to).repeat(1 + random.nextInt(50)));
      }
      if (mutated.isEmpty()) {
        mutated.append('{');
      }
    }
    return mutated.toString();
  }

  private static String pick(List<String> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  private static String exchange(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) ServerUnderTest.PATIENCE.multipliedBy(2).toMillis());
      ByteArrayOutputStream reply = new ByteArrayOutputStream();
      try {
        OutputStream out = socket.getOutputStream();
        out.write(request);
        out.flush();
        socket.shutdownOutput();
        socket.getInputStream().transferTo(reply);
      } catch (SocketException e) {
        // Where the server doesn't read all of it, it may be gone before the rest is sent.
      }
      return reply.toString(ISO_8859_1);
    }
  }
}
