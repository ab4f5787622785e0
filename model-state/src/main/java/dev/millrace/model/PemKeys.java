package dev.millrace.model;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys in PEM files. The JDK reads all but the lines around them: Java 17 has nothing for these.
 */
public final class PemKeys {

  private static final Pattern PRIVATE = block("PRIVATE KEY");
  private static final Pattern PUBLIC = block("PUBLIC KEY");

  /** Longer than any file of keys. */
  private static final int MOST_BYTES = 1 << 20;

  private PemKeys() {}

  private static Pattern block(String what) {
    return Pattern.compile(
        "-----BEGIN %1$s-----([A-Za-z0-9+/=\\s]+)-----END %1$s-----".formatted(what));
  }

  /**
   * The private key in a file: PKCS #8 without a password.
   *
   * @param algorithms that it may be of, as the JDK names them
   * @throws IOException if it can't be read or holds no such key, naming it and what to do
   */
  public static PrivateKey privateKey(Path file, List<String> algorithms) throws IOException {
    Matcher matcher = PRIVATE.matcher(text(file));
    if (matcher.find()) {
      for (String algorithm : algorithms) {
        try {
          return KeyFactory.getInstance(algorithm)
              .generatePrivate(new PKCS8EncodedKeySpec(bytes(matcher.group(1))));
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
          // It is a key of another algorithm, or none.
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("Every Java has " + algorithm, e);
        }
      }
    }
    throw new IOException(
        ("%s has no private key in PEM that begins with -----BEGIN PRIVATE KEY----- (PKCS #8,"
                + " unencrypted, of %s); 'openssl pkcs8 -topk8 -nocrypt' writes one")
            .formatted(file, String.join(", ", algorithms)));
  }

  /**
   * The public keys in a file, one or more.
   *
   * @param algorithm that they are of
   * @throws IOException if it can't be read, holds none, or one of another algorithm
   */
  public static List<PublicKey> publicKeys(Path file, String algorithm) throws IOException {
    List<PublicKey> keys = new ArrayList<>();
    Matcher matcher = PUBLIC.matcher(text(file));
    while (matcher.find()) {
      try {
        EncodedKeySpec spec = new X509EncodedKeySpec(bytes(matcher.group(1)));
        keys.add(KeyFactory.getInstance(algorithm).generatePublic(spec));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new IOException(
            "%s has a public key that is none of %s: %s".formatted(file, algorithm, e.getMessage()),
            e);
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(
          ("%s has no public key in PEM that begins with -----BEGIN PUBLIC KEY-----; 'openssl pkey"
                  + " -in KEY -pubout' writes that of a private key")
              .formatted(file));
    }
    return keys;
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("%s is too long for a file of keys".formatted(file));
    }
    return new String(Files.readAllBytes(file), US_ASCII);
  }

  private static byte[] bytes(String base64) {
    return Base64.getMimeDecoder().decode(base64);
  }
}
