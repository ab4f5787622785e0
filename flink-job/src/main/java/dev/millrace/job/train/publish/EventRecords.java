package dev.millrace.job.train.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.JobEvent.Began;
import dev.millrace.exchange.round.JobEvent.Checkpointed;
import dev.millrace.exchange.round.JobEvent.Noticed;
import dev.millrace.model.Ledger;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.Release;
import java.util.Map;

/** JSON records of what happens to a job as a whole; docs/internals/formats.md describes them. */
public final class EventRecords {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A ledger is cut here: Kafka's brokers take 1 MB a record unless told otherwise. */
  private static final int MOST_CHARACTERS = 800_000;

  private EventRecords() {}

  /**
   * Writes a record of type {@code run} or {@code checkpoint}, or of a notice's own type.
   *
   * @param spec of the job's model
   * @param given options that were given, without secrets
   * @param defaults of the others
   */
  public static String event(
      JobEvent event, ModelSpec spec, Map<String, String> given, Map<String, String> defaults) {
    if (event instanceof Began began) {
      ObjectNode record = MetricRecords.record("run", event.time(), event.version());
      record
          .put("millrace", Release.version())
          .put("engine", spec.engine())
          .put("parameters", spec.parameters())
          .put("replicas", began.replicas())
          .put("restored", began.restored())
          .put("attempt", began.attempt());
      given.forEach(record.putObject("options")::put);
      defaults.forEach(record.putObject("defaults")::put);
      return record.toString();
    }
    return event instanceof Noticed noticed ? notice(noticed) : checkpoint((Checkpointed) event);
  }

  private static String notice(Noticed noticed) {
    ObjectNode record =
        MetricRecords.record(noticed.notice().type(), noticed.time(), noticed.version());
    try {
      record.setAll((ObjectNode) JSON.readTree(noticed.notice().fields()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("No JSON object: " + noticed.notice().fields(), e);
    }
    return record.toString();
  }

  private static String checkpoint(Checkpointed checkpoint) {
    ObjectNode record = MetricRecords.record("checkpoint", checkpoint.time(), checkpoint.version());
    record
        .put("checkpoint", checkpoint.checkpoint())
        .put("duration", checkpoint.millis())
        .put("learned", checkpoint.ledger().learnedCount())
        .put("rejected", checkpoint.ledger().rejectedCount());
    putLedger(record, checkpoint.ledger());
    return record.toString();
  }

  /** Writes as much of a ledger as a record may be long; the sums above are of all. */
  private static void putLedger(ObjectNode record, Ledger all) {
    ArrayNode ledger = record.putArray("ledger");
    int left = MOST_CHARACTERS;
    int omitted = 0;
    for (Map.Entry<Partition, Ledger.Entry> each : all.entries().entrySet()) {
      ObjectNode told = JsonNodeFactory.instance.objectNode();
      put(told, each.getKey(), each.getValue());
      left -= told.toString().length();
      if (left >= 0) {
        ledger.add(told);
      } else {
        omitted++;
      }
    }
    if (omitted > 0) {
      record.put("omitted", omitted);
    }
  }

  private static void put(ObjectNode told, Partition partition, Ledger.Entry entry) {
    Span taken = entry.taken();
    told.put("topic", partition.topic());
    if (!partition.topicId().equals(Partition.NO_ID)) {
      told.put("topicId", partition.topicId());
    }
    told.put("partition", partition.number())
        .put("learned", entry.learned().count())
        .put("rejected", entry.rejected().count())
        .put("heldOut", entry.heldOut().count())
        .put("skipped", entry.skipped().count());
    if (taken.count() > 0) {
      told.put("last", taken.last());
    }
  }
}
