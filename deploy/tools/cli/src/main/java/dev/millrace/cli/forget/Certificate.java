package dev.millrace.cli.forget;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.cli.rebuild.ModelDigest;
import dev.millrace.model.GlobalModel;
import dev.millrace.snapshot.Quality;
import java.util.List;
import java.util.Map;

/**
 * Tells what was forgotten, and what became of the model, for people who have to show it. It names
 * no key and no value.
 *
 * @param at when, in ISO 8601
 * @param savepoint that had learned the records
 * @param forgotten the one that hasn't
 * @param begunAt the version that the model was made again from; null for the start of the job
 * @param selectors SHA-256 of a salt, which isn't here, and each text that records were chosen by,
 *     such as {@code key:17} and {@code field:customer=17}
 * @param records how many of those that are meant the model had taken from its topics: learned,
 *     rejected, held out, or skipped; none that were forgotten before
 * @param gone records that the model has learned and that aren't in the topics, so that nobody
 *     knows what they were; those of {@code --offsets} among them, and those that were forgotten
 *     before
 * @param unknown how many {@code --offsets} names that the model had never had
 * @param offsets which ones, by topic
 * @param sha256 of those that were there, see {@link FoundRecords#sha256}
 * @param before the model that had learned them
 * @param after the one that hasn't
 * @param seconds that it took
 * @param published versions in snapshot.directory that may have learned one of them; null where
 *     that isn't known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Certificate(
    String at,
    String savepoint,
    String forgotten,
    String begunAt,
    List<String> selectors,
    long records,
    long gone,
    long unknown,
    Map<String, List<String>> offsets,
    String sha256,
    Model before,
    Model after,
    double seconds,
    List<String> published) {

  /**
   * A model of which one was made.
   *
   * @param learned records
   * @param prequential how it predicted them before it learned them
   */
  record Model(String version, long learned, ModelDigest digest, Quality prequential) {

    static Model of(GlobalModel model) {
      return new Model(
          model.version().toString(),
          model.ledger().learnedCount(),
          ModelDigest.of(model),
          Quality.of(model.spec().shape().target(), model.prequential()));
    }
  }
}
