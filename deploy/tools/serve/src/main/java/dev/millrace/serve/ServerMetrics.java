package dev.millrace.serve;

import dev.millrace.http.Cut;
import dev.millrace.job.follow.ServedModel;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a server counts, in Prometheus' text format.
 *
 * <p>Thread-safe.
 */
final class ServerMetrics {

  static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final double[] LATENCIES = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };
  private static final double[] ROWS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests =
      Counter.builder()
          .name("millrace_serve_requests_total")
          .help("Requests that were answered, by what was asked for and HTTP's status.")
          .labelNames("api", "status")
          .register(registry);
  private final Histogram latency =
      Histogram.builder()
          .name("millrace_serve_request_seconds")
          .help("From the first byte of a request for predictions to its answer.")
          .classicOnly()
          .classicUpperBounds(LATENCIES)
          .register(registry);
  private final Histogram batches =
      Histogram.builder()
          .name("millrace_serve_batch_rows")
          .help("Rows that were predicted at once.")
          .classicOnly()
          .classicUpperBounds(ROWS)
          .register(registry);
  private final Counter swaps =
      Counter.builder()
          .name("millrace_serve_model_swaps_total")
          .help("Models that predictions began to be made with.")
          .register(registry);
  private final Counter refused =
      Counter.builder()
          .name("millrace_serve_refused_models_total")
          .help("Published models that can't be served; the last good one goes on.")
          .register(registry);

  private final Counter cut =
      Counter.builder()
          .name("millrace_serve_cut_connections_total")
          .help("Connections that were closed on clients that were too slow or too many.")
          .labelNames("reason")
          .register(registry);

  /** Tells from now on what is being done. */
  void watch(
      IntSupplier waitingRows,
      LongSupplier bodyBytes,
      Supplier<Optional<ServedModel>> model,
      BooleanSupplier byRuntime) {
    GaugeWithCallback.builder()
        .name("millrace_serve_body_bytes")
        .help("Memory that the bodies of large requests take.")
        .callback(callback -> callback.call((double) bodyBytes.getAsLong()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("millrace_serve_queue_rows")
        .help("Rows that wait to be predicted.")
        .callback(callback -> callback.call(waitingRows.getAsInt()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("millrace_serve_by_runtime")
        .help("1 where ONNX Runtime predicts with the served model, 0 where its engine does.")
        .callback(callback -> callback.call(byRuntime.getAsBoolean() ? 1 : 0))
        .register(registry);
    ofModel(
        "millrace_serve_model_generation",
        "First part of the served model's version; -1 without a model.",
        () -> model.get().map(ServerMetrics::generation).orElse(-1.0));
    ofModel(
        "millrace_serve_model_round",
        "Second part of the served model's version; -1 without a model.",
        () -> model.get().map(ServerMetrics::round).orElse(-1.0));
    ofModel(
        "millrace_serve_model_age_seconds",
        "Since the served model was published; NaN without a model.",
        () -> model.get().map(ServerMetrics::age).orElse(Double.NaN));
  }

  private void ofModel(String name, String help, Supplier<Double> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get()))
        .register(registry);
  }

  private static double generation(ServedModel model) {
    return model.version().generation();
  }

  private static double round(ServedModel model) {
    return model.version().round();
  }

  private static double age(ServedModel model) {
    return Duration.between(model.created(), Instant.now()).toMillis() / 1000.0;
  }

  /**
   * A request was answered.
   *
   * @param api one of a few names
   */
  void answered(String api, int status) {
    requests.labelValues(api, Integer.toString(status)).inc();
  }

  /** Notes how long a request for predictions took. */
  void took(Duration time) {
    latency.observe(time.toNanos() / 1e9);
  }

  /** Notes that so many rows were predicted at once. */
  void batch(int rows) {
    batches.observe(rows);
  }

  void swapped() {
    swaps.inc();
  }

  void refused() {
    refused.inc();
  }

  /** A connection was closed. */
  void cut(Cut why) {
    cut.labelValues(why.name().toLowerCase(Locale.ROOT)).inc();
  }

  /** All of it. */
  byte[] write() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.builder()
          .build()
          .write(out, registry.scrape(), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
