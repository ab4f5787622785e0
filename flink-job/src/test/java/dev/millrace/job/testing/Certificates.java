package dev.millrace.job.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An authority, and what it has certified, in PKCS12 files; made by the JDK's keytool. */
public final class Certificates {

  /** Of all files. */
  public static final String PASSWORD = "certainly";

  private static final String AUTHORITY = "authority";

  private final Path directory;

  private Certificates(Path directory) {
    this.directory = directory;
  }

  /** Makes a new authority, with its files in a new directory. */
  public static Certificates in(Path directory) throws IOException, InterruptedException {
    Certificates certificates = new Certificates(Files.createDirectories(directory));
    certificates.makeKey(AUTHORITY, "-ext", "bc:critical=ca:true");
    certificates.keytool(
        AUTHORITY,
        "-exportcert",
        "-alias",
        AUTHORITY,
        "-rfc",
        "-file",
        certificates.pem(AUTHORITY));
    certificates.trust("trusted");
    return certificates;
  }

  /** A file with the authority's certificate alone. */
  public Path trusted() {
    return store("trusted");
  }

  /**
   * Makes a file with a key that the authority has certified, for use on the loopback interface.
   */
  public Path issue(String name) throws IOException, InterruptedException {
    String request = directory.resolve(name + ".csr").toString();
    makeKey(name);
    keytool(name, "-certreq", "-alias", name, "-file", request);
    keytool(
        AUTHORITY,
        "-gencert",
        "-alias",
        AUTHORITY,
        "-infile",
        request,
        "-outfile",
        pem(name),
        "-rfc",
        "-ext",
        "san=ip:127.0.0.1");
    trust(name);
    keytool(name, "-importcert", "-alias", name, "-file", pem(name), "-noprompt");
    return store(name);
  }

  private void makeKey(String name, String... more) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-validity",
                "30"));
    arguments.addAll(List.of(more));
    keytool(name, arguments.toArray(String[]::new));
  }

  private void trust(String name) throws IOException, InterruptedException {
    keytool(name, "-importcert", "-alias", AUTHORITY, "-file", pem(AUTHORITY), "-noprompt");
  }

  private String pem(String name) {
    return directory.resolve(name + ".pem").toString();
  }

  private Path store(String name) {
    return directory.resolve(name + ".p12");
  }

  private void keytool(String name, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", "" + store(name), "-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }
}
