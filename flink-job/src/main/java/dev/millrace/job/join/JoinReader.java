package dev.millrace.job.join;

import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.IsoTime;
import dev.millrace.example.Prerequisites;
import dev.millrace.example.ReadingFaults;
import dev.millrace.example.UnavailableException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordObjects;
import dev.millrace.job.join.JsonObject.Kind;
import dev.millrace.kafka.record.RawRecord;
import dev.millrace.kafka.record.RecordReader;
import java.time.Clock;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds key, time and label in the records of one side. Each record becomes one {@link JoinRecord};
 * one that can't be joined says why.
 *
 * <p>Belongs to one thread.
 */
public final class JoinReader implements RecordReader<JoinRecord> {

  /** A dead letter keeps that much, and so much fits into a record with key and label added. */
  static final int MAX_VALUE_BYTES = 900_000;

  static final int MAX_KEY_BYTES = 32_000;
  static final int MAX_LABEL_CHARACTERS = 10_000;

  private static final int ABSENT = -1;

  private final RecordObjects objects;
  private final ReadingRule rule;
  private final Clock clock;
  private final JsonObject json;
  private final ReadingFaults faults = new ReadingFaults();
  private final int key;
  private final int time;
  private final int label;
  private final int free;

  /**
   * Makes a reader of one side.
   *
   * @param objects makes a JSON object of each record, whatever its format
   */
  public JoinReader(RecordObjects objects, ReadingRule rule) {
    this(objects, rule, Clock.systemUTC());
  }

  /**
   * @param clock tells which times can't be yet; serializable
   */
  JoinReader(RecordObjects objects, ReadingRule rule, Clock clock) {
    this.objects = objects;
    this.rule = rule;
    this.clock = clock;
    List<FieldPath> paths = new ArrayList<>();
    this.key = place(rule.keyOrNull(), paths);
    this.time = place(rule.timeOrNull(), paths);
    this.label = place(rule.labelOrNull(), paths);
    this.free = paths.size();
    rule.free().forEach(name -> paths.add(new FieldPath(List.of(name))));
    this.json = new JsonObject(paths);
  }

  private static int place(FieldPath pathOrNull, List<FieldPath> paths) {
    if (pathOrNull == null) {
      return ABSENT;
    }
    paths.add(pathOrNull);
    return paths.size() - 1;
  }

  @Override
  public Prerequisites prerequisites() {
    return objects.prerequisites();
  }

  @Override
  public JoinRecord read(RawRecord raw) {
    try {
      requireReadable(raw.value());
      byte[] object = object(raw.value());
      json.read(object);
      String joinKey = key(raw);
      long joinTime = time(raw);
      if (rule.side() == Side.LABEL) {
        return JoinRecord.label(raw, joinKey, joinTime, label());
      }
      requireFree();
      return JoinRecord.features(raw, object, joinKey, joinTime);
    } catch (InvalidExampleException e) {
      return JoinRecord.unusable(rule.side(), raw, e.getMessage());
    } catch (UnavailableException e) {
      throw e;
    } catch (StackOverflowError e) {
      return JoinRecord.unusable(rule.side(), raw, "nested too deep");
    } catch (RuntimeException e) {
      // A fault of this reader, which must not stop the job: the record can be read again later.
      faults.tell(raw.partition(), raw.offset(), e);
      return JoinRecord.unusable(rule.side(), raw, ReadingFaults.REASON);
    }
  }

  private static void requireReadable(byte[] value) throws InvalidExampleException {
    if (value == null) {
      throw new InvalidExampleException("no value (a tombstone)");
    }
    if (value.length == 0) {
      throw new InvalidExampleException("an empty value");
    }
    if (value.length > MAX_VALUE_BYTES) {
      throw new InvalidExampleException(
          "a value of %s bytes, where at most %s are allowed"
              .formatted(value.length, MAX_VALUE_BYTES));
    }
  }

  private byte[] object(byte[] value) throws InvalidExampleException {
    byte[] object = objects.json(value);
    if (object.length > MAX_VALUE_BYTES) {
      throw new InvalidExampleException(
          "a value that becomes %s bytes of JSON, where at most %s are allowed"
              .formatted(object.length, MAX_VALUE_BYTES));
    }
    return object;
  }

  private String key(RawRecord raw) throws InvalidExampleException {
    if (key == ABSENT && (raw.key() == null || raw.key().length == 0)) {
      throw new InvalidExampleException("no key: the record has none");
    }
    String found = key == ABSENT ? JoinKey.ofBytes(raw.key()) : keyInValue();
    if (found.length() > MAX_KEY_BYTES) {
      throw new InvalidExampleException(
          "a key of %s bytes, where at most %s are allowed"
              .formatted(found.length(), MAX_KEY_BYTES));
    }
    return found;
  }

  private String keyInValue() throws InvalidExampleException {
    Kind kind = json.kind(key);
    if (kind != Kind.TEXT && kind != Kind.WHOLE_NUMBER) {
      throw new InvalidExampleException(
          "no key: \"%s\" is %s, a text or a whole number expected"
              .formatted(rule.keyOrNull(), words(kind)));
    }
    if (json.text(key).isEmpty()) {
      throw new InvalidExampleException("no key: \"%s\" is empty".formatted(rule.keyOrNull()));
    }
    return JoinKey.ofText(json.text(key));
  }

  /** Neither a producer's clock nor a field may end the wait of all others. */
  private long time(RawRecord raw) throws InvalidExampleException {
    long found = time == ABSENT ? timestamp(raw) : timeInValue();
    if (raw.timestamp() >= 0) {
      requireNotAhead(found, raw.timestamp(), "the record's timestamp");
    }
    requireNotAhead(found, clock.millis(), "the clock");
    return found;
  }

  private static long timestamp(RawRecord raw) throws InvalidExampleException {
    if (raw.timestamp() < 0) {
      throw new InvalidExampleException("no time: the record has no timestamp");
    }
    return raw.timestamp();
  }

  private void requireNotAhead(long found, long of, String what) throws InvalidExampleException {
    if (found - of > rule.ahead().toMillis()) {
      throw new InvalidExampleException(
          "no time: %s is %s ms later than %s, where at most %s are allowed"
              .formatted(
                  time == ABSENT ? "the record's timestamp" : "\"" + rule.timeOrNull() + "\"",
                  found - of,
                  what,
                  rule.ahead().toMillis()));
    }
  }

  private long timeInValue() throws InvalidExampleException {
    Kind kind = json.kind(time);
    long found;
    try {
      found =
          switch (kind) {
            case WHOLE_NUMBER -> Long.parseLong(json.text(time));
            case TEXT -> IsoTime.withOffset(json.text(time));
            default -> throw noTime(words(kind));
          };
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      throw noTime(Excerpt.of(json.text(time)));
    }
    if (found < 0) {
      throw noTime(Excerpt.of(json.text(time)));
    }
    return found;
  }

  private InvalidExampleException noTime(String found) {
    return new InvalidExampleException(
        ("no time: \"%s\" is %s, whole milliseconds since 1970 or ISO-8601 with an offset"
                + " expected")
            .formatted(rule.timeOrNull(), found));
  }

  private String label() throws InvalidExampleException {
    Kind kind = json.kind(label);
    if (kind == Kind.MISSING || kind == Kind.NULL || kind == Kind.OBJECT) {
      throw new InvalidExampleException(
          "no label: \"%s\" is %s, a number, a text, true, false or an array expected"
              .formatted(rule.labelOrNull(), words(kind)));
    }
    String found = json.written(label);
    if (found.length() > MAX_LABEL_CHARACTERS) {
      throw new InvalidExampleException(
          "a label of %s characters, where at most %s are allowed"
              .formatted(found.length(), MAX_LABEL_CHARACTERS));
    }
    return found;
  }

  private void requireFree() throws InvalidExampleException {
    for (int i = 0; i < rule.free().size(); i++) {
      if (json.kind(free + i) != Kind.MISSING) {
        throw new InvalidExampleException(
            "the features have a field \"%s\" already, which a join adds; rename it"
                .formatted(rule.free().get(i)));
      }
    }
  }

  private static String words(Kind kind) {
    return switch (kind) {
      case MISSING -> "not there";
      case NULL -> "null";
      case TEXT -> "a text";
      case WHOLE_NUMBER, NUMBER -> "a number";
      case BOOLEAN -> "true or false";
      case ARRAY -> "an array";
      case OBJECT -> "an object";
    };
  }
}
