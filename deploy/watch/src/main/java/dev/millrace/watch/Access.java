package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;

/**
 * Who may look. Without a token the server listens to this machine alone, and to requests that name
 * it so: a page of somebody else's whose name leads here gets nothing (DNS rebinding). With a
 * token, whoever opens the address that has it gets a cookie.
 */
final class Access {

  private static final String COOKIE = "millrace-watch";
  private static final String PARAMETER = "token";

  private final Optional<String> token;

  Access(Optional<String> token) {
    this.token = token;
  }

  boolean hasToken() {
    return token.isPresent();
  }

  /** Whether the request may go on; sets the cookie where it shows the token. */
  boolean admits(Request request, Response response) {
    if (token.isEmpty()) {
      String host = Request.getServerName(request);
      return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    }
    for (HttpCookie cookie : Request.getCookies(request)) {
      if (cookie.getName().equals(COOKIE) && isToken(cookie.getValue())) {
        return true;
      }
    }
    Fields parameters = Request.extractQueryParameters(request);
    if (isToken(parameters.getValue(PARAMETER))) {
      response
          .getHeaders()
          .add(
              HttpHeader.SET_COOKIE,
              "%s=%s; Path=/; HttpOnly; SameSite=Strict".formatted(COOKIE, token.get()));
      return true;
    }
    return false;
  }

  private boolean isToken(String shownOrNull) {
    return shownOrNull != null
        && MessageDigest.isEqual(shownOrNull.getBytes(UTF_8), token.get().getBytes(UTF_8));
  }
}
