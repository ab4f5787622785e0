package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The token that clients have to show, if there is one. Comparing takes the same time whatever is
 * shown: digests are compared, all of them.
 *
 * <p>Immutable: any thread may use it.
 */
final class AccessToken {

  private static final String SCHEME = "Bearer ";

  private final byte[] digestOrNull;

  AccessToken(Optional<String> token) {
    this.digestOrNull = token.map(AccessToken::digest).orElse(null);
  }

  /**
   * Whether a client may go on.
   *
   * @param authorizationOrNull the header of that name
   */
  boolean admits(String authorizationOrNull) {
    if (digestOrNull == null) {
      return true;
    }
    boolean bears =
        authorizationOrNull != null
            && authorizationOrNull.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    String shown = bears ? authorizationOrNull.substring(SCHEME.length()).trim() : "";
    return MessageDigest.isEqual(digest(shown), digestOrNull);
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
