package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Whether requests are answered, and by which model.
 *
 * <p>Thread-safe.
 */
final class Readiness {

  private final Supplier<Optional<ServedModel>> newest;
  private volatile boolean draining;
  private volatile boolean failed;

  Readiness(Supplier<Optional<ServedModel>> newest) {
    this.newest = newest;
  }

  /** Says from now on that it isn't ready, since it is about to stop. */
  void drain() {
    draining = true;
  }

  /** Says from now on that it isn't ready, since it can't go on. */
  void fail() {
    failed = true;
  }

  /**
   * The model that is served.
   *
   * @param version that it has to be, if one is asked for
   * @throws RefusedRequestException if there is none yet, or another
   */
  ServedModel requireModel(Optional<String> version) throws RefusedRequestException {
    ServedModel model =
        newest
            .get()
            .orElseThrow(() -> no("There is no model yet; ask again when one is published"));
    requireVersion(model, version);
    return model;
  }

  /**
   * Checks that requests are answered.
   *
   * @param version of the model that is asked for, if one is
   */
  void requireReady(Optional<String> version) throws RefusedRequestException {
    if (draining) {
      throw no("This server is about to stop; ask another");
    }
    if (failed) {
      throw no("This server has failed, and its log says why; ask another");
    }
    requireModel(version);
  }

  static void requireVersion(ServedModel model, Optional<String> version)
      throws RefusedRequestException {
    if (version.isPresent() && !version.get().equals(model.version().toString())) {
      throw new RefusedRequestException(
          HttpStatus.NOT_FOUND_404,
          "Version \"%s\" isn't served; the one that is served is %s"
              .formatted(Tokens.shorten(version.get()), model.version()));
    }
  }

  /** Returns what is said to whoever calls the model by another name. */
  static RefusedRequestException noModel(String named, String name) {
    return new RefusedRequestException(
        HttpStatus.NOT_FOUND_404,
        "There is no model \"%s\"; this server has \"%s\"".formatted(Tokens.shorten(named), name));
  }

  private static RefusedRequestException no(String message) {
    return new RefusedRequestException(HttpStatus.SERVICE_UNAVAILABLE_503, message);
  }
}
