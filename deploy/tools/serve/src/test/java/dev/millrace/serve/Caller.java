package dev.millrace.serve;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * A client of HTTP that keeps its connections. Sends nothing twice: a request without an answer is
 * an error.
 *
 * <p>Thread-safe.
 */
final class Caller implements AutoCloseable {

  /** The longest that a request may take, on a machine that is busy. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final HttpClient client = new HttpClient();

  private Caller(SslContextFactory.Client tls) {
    client.setSslContextFactory(tls);
    try {
      client.start();
    } catch (Exception e) {
      throw new IllegalStateException("The client can't be started", e);
    }
  }

  /** One that trusts whom Java trusts. */
  static Caller plain() {
    return new Caller(new SslContextFactory.Client());
  }

  static Caller of(SSLContext context) {
    SslContextFactory.Client tls = new SslContextFactory.Client();
    tls.setSslContext(context);
    return new Caller(tls);
  }

  Request get(URI address) {
    return client.newRequest(address).timeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  Request post(URI address, String contentType, byte[] body) {
    return get(address).method(HttpMethod.POST).body(new BytesRequestContent(contentType, body));
  }

  /**
   * Returns the answer.
   *
   * @throws IOException if there is none
   */
  static Reply send(Request request) throws IOException, InterruptedException {
    try {
      return new Reply(request.send());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException none ? none : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    try {
      client.stop();
    } catch (Exception e) {
      throw new IllegalStateException("The client can't be stopped", e);
    }
  }
}
