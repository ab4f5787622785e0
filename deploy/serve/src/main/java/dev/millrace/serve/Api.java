package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.snapshot.Release;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The Open Inference Protocol, version 2, over HTTP and JSON, and metrics. Health is told to
 * anybody, all else to those who show the token, where there is one.
 */
final class Api extends Handler.Abstract {

  static final String JSON = "application/json";

  // What metrics call what was asked for.
  static final String INFER = "infer";
  static final String MODEL = "model";
  static final String SERVER = "server";
  static final String HEALTH = "health";
  static final String METRICS = "metrics";
  static final String OTHER = "other";

  private final String name;
  private final AccessToken token;
  private final Inference inference;
  private final ServerMetrics metrics;
  private volatile boolean draining;

  /**
   * @param name that clients call the model by: letters, digits, points, underscores and hyphens
   */
  Api(String name, AccessToken token, Inference inference, ServerMetrics metrics) {
    this.name = name;
    this.token = token;
    this.inference = inference;
    this.metrics = metrics;
  }

  /** Says from now on that it isn't ready. */
  void drain() {
    draining = true;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, metrics);
    List<String> path = List.of(exchange.path().split("/", -1));
    try {
      if (path.equals(List.of("", "v2", "health", "live"))) {
        get(exchange, HEALTH, this::live);
      } else if (path.equals(List.of("", "v2", "health", "ready"))) {
        get(exchange, HEALTH, this::ready);
      } else if (!token.admits(request.getHeaders().get(HttpHeader.AUTHORIZATION))) {
        throw new RefusedRequestException(
            HttpStatus.UNAUTHORIZED_401,
            "The header Authorization doesn't show this server's token; send 'Authorization: Bearer"
                + " TOKEN'");
      } else if (path.equals(List.of("", "v2")) || path.equals(List.of("", "v2", ""))) {
        get(exchange, SERVER, Api::server);
      } else if (path.equals(List.of("", "metrics"))) {
        get(exchange, METRICS, this::metrics);
      } else if (path.size() >= 4 && path.subList(0, 3).equals(List.of("", "v2", "models"))) {
        model(exchange, path.get(3), path.subList(4, path.size()));
      } else {
        throw unknown(exchange);
      }
    } catch (RefusedRequestException e) {
      exchange.refuse(e.status(), e.getMessage());
    }
    return true;
  }

  /** What follows the name of a model. */
  private void model(Exchange exchange, String named, List<String> rest)
      throws RefusedRequestException {
    exchange.isOf(MODEL);
    if (!named.equals(name)) {
      throw new RefusedRequestException(
          HttpStatus.NOT_FOUND_404,
          "There is no model \"%s\"; this server has \"%s\""
              .formatted(Tokens.shorten(named), name));
    }
    boolean hasVersion = rest.size() >= 2 && rest.get(0).equals("versions");
    Optional<String> version = hasVersion ? Optional.of(rest.get(1)) : Optional.empty();
    String what = String.join("/", hasVersion ? rest.subList(2, rest.size()) : rest);
    switch (what) {
      case "" -> get(exchange, MODEL, any -> metadata(exchange, version));
      case "ready" -> get(exchange, MODEL, any -> modelReady(exchange, version));
      case "infer" -> {
        exchange.isOf(INFER);
        if (HttpMethod.POST.is(exchange.request().getMethod())) {
          inference.begin(exchange, version);
        } else {
          exchange.refuseMethod("POST");
        }
      }
      default -> throw unknown(exchange);
    }
  }

  private static RefusedRequestException unknown(Exchange exchange) {
    return new RefusedRequestException(
        HttpStatus.NOT_FOUND_404,
        "There is nothing at %s; see /v2/models/NAME, /v2/models/NAME/infer, /v2/health/ready and"
                .formatted(Tokens.shorten(exchange.path()))
            + " /metrics");
  }

  /** Answers. */
  private interface Answering {

    void answer(Exchange exchange) throws RefusedRequestException;
  }

  private static void get(Exchange exchange, String api, Answering answering)
      throws RefusedRequestException {
    exchange.isOf(api);
    String method = exchange.request().getMethod();
    if (HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method)) {
      answering.answer(exchange);
    } else {
      exchange.refuseMethod("GET");
    }
  }

  private void live(Exchange exchange) {
    exchange.answer(Json.object(generator -> generator.writeBooleanField("live", true)));
  }

  private void ready(Exchange exchange) throws RefusedRequestException {
    requireReady(Optional.empty());
    exchange.answer(Json.object(generator -> generator.writeBooleanField("ready", true)));
  }

  private void modelReady(Exchange exchange, Optional<String> version)
      throws RefusedRequestException {
    requireReady(version);
    exchange.answer(
        Json.object(
            generator -> {
              generator.writeStringField("name", name);
              generator.writeBooleanField("ready", true);
            }));
  }

  private void requireReady(Optional<String> version) throws RefusedRequestException {
    if (draining) {
      throw new RefusedRequestException(
          HttpStatus.SERVICE_UNAVAILABLE_503, "This server is about to stop; ask another");
    }
    inference.requireModel(version);
  }

  private static void server(Exchange exchange) {
    exchange.answer(
        Json.object(
            generator -> {
              generator.writeStringField("name", "millrace");
              generator.writeStringField("version", Release.version());
              generator.writeArrayFieldStart("extensions");
              generator.writeEndArray();
            }));
  }

  private void metadata(Exchange exchange, Optional<String> version)
      throws RefusedRequestException {
    ServedModel model = inference.requireModel(version);
    exchange.answer(new MetadataWriter(name).write(model));
  }

  private void metrics(Exchange exchange) {
    exchange.answer(HttpStatus.OK_200, ServerMetrics.CONTENT_TYPE, metrics.write());
  }
}
