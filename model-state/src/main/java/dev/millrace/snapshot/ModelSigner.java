package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Signs published models, so that readers can tell them from those of others who may write to the
 * same place. What is signed is the archive's hash and the model's version. The archive holds its
 * description, so both can't be exchanged; see {@link TrustedKeys}.
 */
public final class ModelSigner {

  static final String ALGORITHM = "Ed25519";

  private final PrivateKey key;

  private ModelSigner(PrivateKey key) {
    this.key = key;
  }

  /**
   * Signs with the key in a file.
   *
   * @param file PEM, as {@code openssl genpkey -algorithm ed25519} writes it
   * @throws IOException if it can't be read or holds no such key, naming it and what to do
   */
  public static ModelSigner of(Path file) throws IOException {
    return new ModelSigner(Pem.privateKey(file, List.of(ALGORITHM)));
  }

  /** The signature of an archive, in Base64. */
  String sign(ModelVersion version, Path archive) throws IOException {
    return sign(version, statement(version, ArchiveLabel.sha256(archive)));
  }

  /**
   * Returns the signature of an update of a model, in Base64.
   *
   * @param version that the update leads to
   */
  public String signUpdate(ModelVersion version, byte[] update) throws IOException {
    return sign(version, updateStatement(update));
  }

  private String sign(ModelVersion version, byte[] statement) throws IOException {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(statement);
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IOException("Model %s can't be signed: %s".formatted(version, e.getMessage()), e);
    }
  }

  /** Gives the bytes that are signed. */
  static byte[] statement(ModelVersion version, String sha256) {
    return "A model of Millrace\nversion %s\nsha256 %s\n"
        .formatted(version, sha256)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Gives the bytes that are signed of an update, which are never those of a model. */
  static byte[] updateStatement(byte[] update) {
    byte[] what = "An update of Millrace\n".getBytes(StandardCharsets.US_ASCII);
    byte[] statement = Arrays.copyOf(what, what.length + update.length);
    System.arraycopy(update, 0, statement, what.length, update.length);
    return statement;
  }
}
