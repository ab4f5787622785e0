package dev.millrace.http;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;

/**
 * Finds requests that pages of somebody else have a browser send to a server which asks for no
 * token. Such a page either says where it comes from, in the header Origin, which scripts can't
 * change; or its own name was made to lead to this machine (DNS rebinding), and the header Host has
 * that name.
 *
 * <p>Immutable: any thread may use it.
 */
public final class ForeignPages {

  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);
  private static final int MOST_SHOWN = 60;

  private final boolean localNames;
  private final String host;

  /**
   * @param localNames whether requests must call the server by a name of this machine alone;
   *     whether they call it by {@code host} or another is not looked at otherwise
   * @param host where the server listens
   */
  public ForeignPages(boolean localNames, String host) {
    this.localNames = localNames;
    this.host = host;
  }

  /** Says why a request is refused; empty where it may go on. */
  public Optional<String> refusal(Request request) {
    String name = Request.getServerName(request);
    if (localNames && !LOOPBACK.matcher(name).matches() && !name.equalsIgnoreCase(host)) {
      return Optional.of(
          "The request calls this server \"%s\"; it is for this machine alone, which calls it localhost or 127.0.0.1"
              .formatted(shorten(name)));
    }
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !isOwn(origin, request.getHeaders().get(HttpHeader.HOST))) {
      return Optional.of(
          "The request comes from a page of \"%s\" (header Origin); this server answers no pages of others"
              .formatted(shorten(origin)));
    }
    return Optional.empty();
  }

  /** Compares names and ports; the scheme differs behind a proxy that ends TLS. */
  private static boolean isOwn(String origin, String hostOrNull) {
    if (hostOrNull == null) {
      return false;
    }
    try {
      URI page = URI.create(origin);
      HostPort own = new HostPort(hostOrNull);
      return page.getHost() != null
          && page.getHost().equalsIgnoreCase(own.getHost())
          && Math.max(page.getPort(), 0) == own.getPort(0);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String shorten(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
