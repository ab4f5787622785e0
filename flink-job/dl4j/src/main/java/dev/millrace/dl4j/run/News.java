package dev.millrace.dl4j.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.job.options.SnapshotOptions;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.deeplearning4j.nn.api.Model;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job reports, for the listeners of a network: each round is an iteration, and is told once,
 * on the program's thread; the score is that of the newest round that was reported. Where a
 * listener may look at parameters, the network has those of the newest published model: it is at
 * most {@value #ROUNDS} rounds old, and the time that it takes to publish one.
 */
public final class News implements Consumer<String> {

  /** Rounds between two models for listeners. */
  static final int ROUNDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(News.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = "";

  private final Model network;
  private final Audience audience;
  private final boolean scoresAreLogged;
  private final BlockingQueue<String> records = new LinkedBlockingQueue<>();

  /** Null where nobody looks at parameters. */
  private NewestModel modelsOrNull;

  private long round;
  private long examples;

  /**
   * @param scoresAreLogged whether the log has each round's score
   */
  public News(Model network, Audience audience, boolean scoresAreLogged) {
    this.network = network;
    this.audience = audience;
    this.scoresAreLogged = scoresAreLogged;
  }

  /** Returns the options that a job needs for it. */
  public Map<String, String> options() {
    return audience.looksAtParameters()
        ? Map.of(SnapshotOptions.ROUNDS.key(), Integer.toString(ROUNDS))
        : Map.of();
  }

  /**
   * Begins with a job.
   *
   * @param models directory that it publishes in
   */
  public void begin(String models) {
    if (audience.looksAtParameters()) {
      modelsOrNull = new NewestModel(network, models);
    }
    if (audience.looksAtInput()) {
      // A network that has had none throws.
      NetworkCounts.setInputRows(network, 1);
    }
  }

  @Override
  public void accept(String json) {
    records.add(json);
  }

  /** Tells what comes, until a job has ended, however. */
  public void tellUntil(CompletableFuture<?> end) throws InterruptedException {
    CompletableFuture<?> unusedMark = end.whenComplete((result, failure) -> records.add(END));
    for (String record = records.take(); !record.equals(END); record = records.take()) {
      tell(record);
    }
  }

  /**
   * Tells of the rounds that the job has had and not reported, once the network has its last model.
   */
  public void end(long lastRound) {
    tellRounds(lastRound);
  }

  /** Gives the network what it had before the job, which has failed. */
  public void takeBack() {
    if (modelsOrNull != null) {
      modelsOrNull.takeBack();
    }
  }

  private void tell(String record) {
    JsonNode json;
    try {
      json = JSON.readTree(record);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A record of measures is no JSON: " + record, e);
    }
    String type = json.path("type").asText();
    if (type.equals("progress")) {
      progress(json);
    } else if (type.equals("rejections")) {
      rejections(json);
    }
  }

  private void progress(JsonNode json) {
    long reported = json.path("round").asLong();
    if (reported <= round) {
      // After a failure some come again.
      return;
    }
    if (modelsOrNull != null) {
      modelsOrNull.take();
    }
    if (json.has("window_loss")) {
      NetworkCounts.setScore(network, json.path("window_loss").asDouble());
    }
    long learned = json.path("examples").asLong();
    if (audience.looksAtInput() && learned > examples) {
      NetworkCounts.setInputRows(network, Math.max(1, (learned - examples) / (reported - round)));
    }
    examples = learned;
    tellRounds(reported);
  }

  private static void rejections(JsonNode json) {
    for (JsonNode kind : json.path("reasons")) {
      LOG.warn(
          "{} examples weren't learned, the first at {} of share {} in {}: {}",
          kind.path("count").asLong(),
          kind.path("offset").asLong(),
          kind.path("partition").asInt(),
          kind.path("topic").asText(),
          kind.path("example").asText());
    }
  }

  private void tellRounds(long last) {
    for (; round < last; round++) {
      if (scoresAreLogged) {
        LOG.info("Score of round {}: {}", round + 1, network.score());
      }
      audience.iterationDone();
    }
  }
}
