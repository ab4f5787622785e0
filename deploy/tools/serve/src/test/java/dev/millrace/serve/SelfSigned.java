package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;

/** A key for the loopback interface that has certified itself, by the JDK's keytool. */
final class SelfSigned {

  static final String PASSWORD = "certainly";

  private SelfSigned() {}

  /** Makes a store of PKCS #12 with one entry, {@code server}. */
  static Path make(Path store) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-validity",
                "30",
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
    return store;
  }
}
