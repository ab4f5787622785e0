package dev.millrace.job.train.part.rebuild;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * An entry of the training log as a JSON object: {@code {"version": "1.7", "members": [[0, 7, "b6
 * h6 @clicks 0:192+32 d"]]}} for a round, {@code {"version": "3.7", "from": "1.7", "replicas": 2,
 * "readers": 2}} for a start, {@code {"version": "5.7", "from": "3.7", "forgotten": {"clicks":
 * ["0:200+1"]}}} where records were forgotten.
 */
public final class LogLine {

  private static final ObjectMapper JSON = new ObjectMapper();

  private LogLine() {}

  /** Returns the key of an entry's record. No other entry of the job has it. */
  public static byte[] key(LogEntry entry) {
    String prefix = entry instanceof Forgotten ? "forgotten " : "";
    return (prefix + entry.version()).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns what a record of the log has as its value. */
  public static byte[] write(LogEntry entry) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("version", entry.version().toString());
    if (entry instanceof Start start) {
      if (start.fromOrNull() != null) {
        line.put("from", start.fromOrNull().toString());
      }
      line.put("replicas", start.replicas());
      line.put("readers", start.readers());
    } else if (entry instanceof Forgotten forgotten) {
      line.put("from", forgotten.from().toString());
      ObjectNode topics = line.putObject("forgotten");
      forgotten.records().forEach(run -> topics.withArrayProperty(run.topic()).add(run.text()));
    } else if (entry instanceof Round round) {
      ArrayNode members = line.putArray("members");
      for (Contributed member : round.members()) {
        ArrayNode one = members.addArray();
        one.add(member.replica()).add(member.sequence()).add(member.log());
        if (member.generation() != round.version().generation()) {
          one.add(member.generation());
        }
      }
      if (!round.together().isEmpty()) {
        ArrayNode groups = line.putArray("together");
        round.together().forEach(group -> group.stream().forEach(groups.addArray()::add));
      }
      write("idle", round.away().idle(), line);
      write("late", round.away().late(), line);
      write("done", round.away().done(), line);
      if (round.published()) {
        line.put("published", true);
      }
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(String name, BitSet replicas, ObjectNode line) {
    if (!replicas.isEmpty()) {
      ArrayNode numbers = line.putArray(name);
      replicas.stream().forEach(numbers::add);
    }
  }

  /**
   * Reads what a record of the log has as its value.
   *
   * @throws UnusableLogException if it is no entry
   */
  public static LogEntry read(byte[] value) {
    try {
      JsonNode line = JSON.readTree(value);
      ModelVersion version = version(line, "version");
      if (line.has("forgotten")) {
        return new Forgotten(version, version(line, "from"), records(line.get("forgotten")));
      }
      return line.has("replicas")
          ? new Start(
              version,
              line.has("from") ? version(line, "from") : null,
              line.get("replicas").intValue(),
              line.required("readers").intValue())
          : new Round(
              version,
              members(line.required("members"), version.generation()),
              groups(line.path("together")),
              new Away(
                  replicas(line.path("idle")),
                  replicas(line.path("late")),
                  replicas(line.path("done"))),
              line.path("published").booleanValue());
    } catch (IOException | IllegalArgumentException e) {
      throw new UnusableLogException(
          "This is no entry of a training log: " + new String(value, StandardCharsets.UTF_8), e);
    }
  }

  private static ModelVersion version(JsonNode line, String name) {
    return ModelVersion.parse(line.required(name).textValue());
  }

  private static List<RecordRun> records(JsonNode topics) {
    List<RecordRun> records = new ArrayList<>();
    topics
        .properties()
        .forEach(
            topic ->
                topic
                    .getValue()
                    .forEach(run -> records.add(RecordRun.parse(topic.getKey(), run.textValue()))));
    return records;
  }

  /** A contribution that was made in an attempt before says so. */
  private static List<Contributed> members(JsonNode array, long generation) {
    List<Contributed> members = new ArrayList<>();
    for (JsonNode member : array) {
      members.add(
          new Contributed(
              member.required(0).intValue(),
              member.required(1).longValue(),
              member.path(3).asLong(generation),
              member.required(2).textValue()));
    }
    return members;
  }

  private static List<BitSet> groups(JsonNode arrays) {
    List<BitSet> groups = new ArrayList<>();
    arrays.forEach(group -> groups.add(replicas(group)));
    return groups;
  }

  private static BitSet replicas(JsonNode array) {
    BitSet replicas = new BitSet();
    array.forEach(number -> replicas.set(number.intValue()));
    return replicas;
  }
}
