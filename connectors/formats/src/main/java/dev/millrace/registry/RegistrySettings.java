package dev.millrace.registry;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Where a registry is, and how to reach it.
 *
 * @param urls of servers that have the same schemas, tried in turn; at least one
 * @param user of basic authentication; null for none
 * @param password of the user; null for none
 * @param token of bearer authentication; null for none
 * @param tls what TLS trusts and shows
 * @param timeout for connecting, and for a whole answer
 */
public record RegistrySettings(
    List<String> urls, String user, Secret password, Secret token, TlsFiles tls, Duration timeout)
    implements Serializable {

  public RegistrySettings {
    urls = urls.stream().map(url -> url.replaceAll("/+$", "")).toList();
    Objects.requireNonNull(tls, "tls");
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("A registry needs a URL");
    }
    if (user != null && token != null) {
      throw new IllegalArgumentException("A registry takes a user or a token, not both");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("A registry needs a timeout, not " + timeout);
    }
  }

  /** Reaches a registry without authentication, with the trust of the JDK. */
  public static RegistrySettings of(String... urls) {
    return new RegistrySettings(
        List.of(urls), null, null, null, TlsFiles.NONE, Duration.ofSeconds(10));
  }
}
