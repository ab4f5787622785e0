package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.http.ForeignPages;
import java.security.MessageDigest;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Decides who may look. Without a token the server listens to this machine alone, and to requests
 * that name it so. With a token, whoever opens the address that has it gets a cookie.
 */
final class Access {

  /** What becomes of a request. */
  enum Outcome {
    ADMITTED,
    /** Admitted, and its address shows the token, which it needn't any more. */
    SHOWN,
    REFUSED
  }

  private static final String COOKIE = "millrace-watch";
  private static final String PARAMETER = "token";

  private final Optional<String> token;
  private final ForeignPages pages;

  Access(Optional<String> token, String host) {
    this.token = token;
    this.pages = new ForeignPages(token.isEmpty(), host);
  }

  boolean hasToken() {
    return token.isPresent();
  }

  /** Whether the request may go on; sets the cookie where it shows the token. */
  Outcome admit(Request request, Response response) {
    if (token.isEmpty()) {
      return pages.refusal(request).isEmpty() ? Outcome.ADMITTED : Outcome.REFUSED;
    }
    if (isToken(Request.extractQueryParameters(request).getValue(PARAMETER))) {
      response.getHeaders().add(HttpHeader.SET_COOKIE, cookie(request));
      return Outcome.SHOWN;
    }
    for (HttpCookie cookie : Request.getCookies(request)) {
      if (cookie.getName().equals(COOKIE) && isToken(cookie.getValue())) {
        return Outcome.ADMITTED;
      }
    }
    return Outcome.REFUSED;
  }

  /**
   * Lax: a browser that follows a link from elsewhere to the address with the token sends it with
   * what it is redirected to; requests that pages of others make don't have it. Secure where a
   * proxy says that the browser speaks HTTPS with it.
   */
  private String cookie(Request request) {
    boolean tls = "https".equals(request.getHeaders().get(HttpHeader.X_FORWARDED_PROTO));
    return "%s=%s; Path=/; HttpOnly; SameSite=Lax%s"
        .formatted(COOKIE, token.get(), tls ? "; Secure" : "");
  }

  private boolean isToken(String shownOrNull) {
    return shownOrNull != null
        && MessageDigest.isEqual(shownOrNull.getBytes(UTF_8), token.get().getBytes(UTF_8));
  }
}
