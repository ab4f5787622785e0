package dev.millrace.serve;

import dev.millrace.http.ForeignPages;
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
 * anybody, all else to those who show the token; where there is none, to all but pages of others.
 */
final class Api extends Handler.Abstract {

  static final String JSON = "application/json";

  /** The header of an answer that names the model's version. */
  static final String MODEL_VERSION = "millrace-model-version";

  // What metrics call what was asked for.
  static final String INFER = "infer";
  static final String PREDICT = "predict";
  static final String MODEL = "model";
  static final String SERVER = "server";
  static final String HEALTH = "health";
  static final String METRICS = "metrics";
  static final String OTHER = "other";

  private final String name;
  private final AccessToken token;
  private final ForeignPages pages;
  private final Vitals vitals;
  private final Readiness readiness;
  private final Inference inference;
  private final Form tensors;
  private final Form records;
  private final ServerMetrics metrics;

  /**
   * @param name that clients call the model by: letters, digits, points, underscores and hyphens
   * @param pages whose requests are refused where there is no token
   * @param tensors what infer takes
   * @param records what predict takes
   */
  Api(
      String name,
      AccessToken token,
      ForeignPages pages,
      Vitals vitals,
      Readiness readiness,
      Inference inference,
      Form tensors,
      Form records,
      ServerMetrics metrics) {
    this.name = name;
    this.token = token;
    this.pages = pages;
    this.vitals = vitals;
    this.readiness = readiness;
    this.inference = inference;
    this.tensors = tensors;
    this.records = records;
    this.metrics = metrics;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, metrics);
    List<String> path = List.of(exchange.path().split("/", -1));
    try {
      if (vitals.answersHealth(exchange)) {
        return true;
      }
      requireAccess(request);
      if (vitals.answersMetrics(exchange)) {
        return true;
      }
      if (path.equals(List.of("", "v2")) || path.equals(List.of("", "v2", ""))) {
        get(exchange, SERVER, Api::server);
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

  private void requireAccess(Request request) throws RefusedRequestException {
    if (!token.isAskedFor()) {
      Optional<String> refusal = pages.refusal(request);
      if (refusal.isPresent()) {
        throw new RefusedRequestException(
            HttpStatus.FORBIDDEN_403, refusal.get() + "; a token admits others");
      }
    } else if (!token.admits(request.getHeaders().get(HttpHeader.AUTHORIZATION))) {
      throw AccessToken.refusal();
    }
  }

  /** Answers a request to a model, by what follows its name. */
  private void model(Exchange exchange, String named, List<String> rest)
      throws RefusedRequestException {
    exchange.isOf(MODEL);
    if (!named.equals(name)) {
      throw Readiness.noModel(named, name);
    }
    boolean hasVersion = rest.size() >= 2 && rest.get(0).equals("versions");
    Optional<String> version = hasVersion ? Optional.of(rest.get(1)) : Optional.empty();
    String what = String.join("/", hasVersion ? rest.subList(2, rest.size()) : rest);
    switch (what) {
      case "" -> get(exchange, MODEL, any -> metadata(exchange, version));
      case "ready" -> get(exchange, MODEL, any -> modelReady(exchange, version));
      case "infer" -> predict(exchange, INFER, tensors, version);
      case "predict" -> predict(exchange, PREDICT, records, version);
      default -> throw unknown(exchange);
    }
  }

  private void predict(Exchange exchange, String api, Form form, Optional<String> version)
      throws RefusedRequestException {
    exchange.isOf(api);
    if (HttpMethod.POST.is(exchange.request().getMethod())) {
      inference.begin(exchange, form, version);
    } else {
      exchange.refuseMethod("POST");
    }
  }

  private static RefusedRequestException unknown(Exchange exchange) {
    return new RefusedRequestException(
        HttpStatus.NOT_FOUND_404,
        "There is nothing at %s; see /v2/models/NAME, /v2/models/NAME/infer and predict,"
                .formatted(Tokens.shorten(exchange.path()))
            + " /v2/health/ready and /metrics");
  }

  /** Answers. */
  private interface Answering {

    void answer(Exchange exchange) throws RefusedRequestException;
  }

  private static void get(Exchange exchange, String api, Answering answering)
      throws RefusedRequestException {
    exchange.isOf(api);
    if (Vitals.isGet(exchange)) {
      answering.answer(exchange);
    }
  }

  private void modelReady(Exchange exchange, Optional<String> version)
      throws RefusedRequestException {
    readiness.requireReady(version);
    exchange.answer(
        Json.object(
            generator -> {
              generator.writeStringField("name", name);
              generator.writeBooleanField("ready", true);
            }));
  }

  private static void server(Exchange exchange) {
    exchange.answer(
        Json.object(
            generator -> {
              generator.writeStringField("name", "millrace");
              generator.writeStringField("version", Release.version());
              generator.writeArrayFieldStart("extensions");
              generator.writeString("binary_tensor_data");
              generator.writeEndArray();
            }));
  }

  private void metadata(Exchange exchange, Optional<String> version)
      throws RefusedRequestException {
    ServedModel model = readiness.requireModel(version);
    exchange.answer(new MetadataWriter(name).write(model));
  }
}
