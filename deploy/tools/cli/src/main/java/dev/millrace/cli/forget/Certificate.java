package dev.millrace.cli.forget;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.cli.rebuild.ModelDigest;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Quality;
import java.util.List;
import java.util.Map;

/**
 * What was forgotten, and what became of the model, for people who have to show it. It names no key
 * and no value.
 *
 * @param at when, in ISO 8601
 * @param savepoint that had learned the records
 * @param forgotten the one that hasn't
 * @param begunAt the version that the model was made again from; null for the start of the job
 * @param selectors SHA-256 of each text that records were chosen by, such as {@code key:17} and
 *     {@code field:customer=17}
 * @param records how many
 * @param offsets which ones, by topic
 * @param sha256 of those that were there, see {@link FoundRecords#sha256}
 * @param before the model that had learned them
 * @param after the one that hasn't
 * @param seconds that it took
 * @param published versions in snapshot.directory that have learned one of them; null without one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Certificate(
    String at,
    String savepoint,
    String forgotten,
    ModelVersion begunAt,
    List<String> selectors,
    long records,
    Map<String, List<String>> offsets,
    String sha256,
    Model before,
    Model after,
    double seconds,
    List<ModelVersion> published) {

  /**
   * A model of which one was made.
   *
   * @param learned records
   * @param prequential how it predicted them before it learned them
   */
  record Model(ModelVersion version, long learned, ModelDigest digest, Quality prequential) {

    static Model of(GlobalModel model) {
      return new Model(
          model.version(),
          model.ledger().learnedCount(),
          ModelDigest.of(model),
          Quality.of(model.spec().shape().target(), model.prequential()));
    }
  }
}
