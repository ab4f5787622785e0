package dev.millrace.registry;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A key and its own certificate in PEM files, made by the JDK's keytool. */
record PemFiles(Path certificate, Path key) {

  private static final String PASSWORD = "certainly";

  static PemFiles in(Path directory) throws Exception {
    Path store = directory.resolve("key.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "key",
            "-keyalg",
            "EC",
            "-dname",
            "CN=registry",
            "-validity",
            "30",
            "-ext",
            "san=ip:127.0.0.1",
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    return new PemFiles(
        write(
            directory.resolve("certificate.pem"),
            "CERTIFICATE",
            keys.getCertificate("key").getEncoded()),
        write(
            directory.resolve("key.pem"),
            "PRIVATE KEY",
            keys.getKey("key", PASSWORD.toCharArray()).getEncoded()));
  }

  /** Trusts the certificate, and shows it. */
  TlsFiles tls() {
    return new TlsFiles(certificate.toString(), certificate.toString(), key.toString());
  }

  private static Path write(Path file, String what, byte[] bytes) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what),
        US_ASCII);
  }
}
