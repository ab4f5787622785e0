package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The token that clients have to show, if there is one. Comparing takes the same time whatever is
 * shown: digests are compared, all of them.
 *
 * <p>Thread-safe.
 */
final class AccessToken {

  private static final String SCHEME = "Bearer ";

  private volatile byte[] digestOrNull;

  /** Has clients show this one from now on. */
  void become(String token) {
    digestOrNull = digest(token);
  }

  boolean isAskedFor() {
    return digestOrNull != null;
  }

  /**
   * Whether a client may go on.
   *
   * @param authorizationOrNull the header of that name
   */
  boolean admits(String authorizationOrNull) {
    byte[] wanted = digestOrNull;
    if (wanted == null) {
      return true;
    }
    boolean bears =
        authorizationOrNull != null
            && authorizationOrNull.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    String shown = bears ? authorizationOrNull.substring(SCHEME.length()).trim() : "";
    return MessageDigest.isEqual(digest(shown), wanted);
  }

  /** Returns what is said to whoever doesn't show it. */
  static RefusedRequestException refusal() {
    return new RefusedRequestException(
        HttpStatus.UNAUTHORIZED_401,
        "The header Authorization doesn't show this server's token; send 'Authorization: Bearer"
            + " TOKEN'");
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
