package dev.millrace.cli.forget;

import dev.millrace.cli.console.Sha256;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Records that are meant, told apart by whether a model has taken them. One that was forgotten
 * before is among those that were taken from its partition, and the model doesn't know it.
 *
 * <p>Not thread-safe.
 */
final class FoundRecords {

  private final List<RecordCondition> conditions;
  private final Ledger taken;
  private final RecordSet forgotten;
  private final RecordSet known = new RecordSet();
  private final RecordSet before = new RecordSet();
  private final RecordSet unknown = new RecordSet();
  private final MessageDigest digest = Sha256.digest();
  private long later;
  private long seen;
  private long forgottenSeen;

  /**
   * @param conditions of which one has to hold
   * @param taken what the model has learned, or is about to
   * @param forgotten what was taken out of it before
   */
  FoundRecords(List<RecordCondition> conditions, Ledger taken, RecordSet forgotten) {
    this.conditions = conditions;
    this.taken = taken;
    this.forgotten = forgotten;
  }

  /** Looks at the next record of its partition. */
  void look(RawRecord record) {
    Partition partition = record.partition();
    boolean isTaken = isTaken(partition, record.offset());
    boolean isForgotten =
        forgotten.contains(partition.topic(), partition.number(), record.offset());
    seen += isTaken ? 1 : 0;
    forgottenSeen += isForgotten ? 1 : 0;
    if (conditions.stream().noneMatch(condition -> condition.holds(record))) {
      return;
    }
    if (isForgotten) {
      before.add(partition.topic(), partition.number(), record.offset());
    } else if (isTaken) {
      known.add(partition.topic(), partition.number(), record.offset());
      hash(record);
    } else if (isLater(partition, record.offset())) {
      later++;
    }
  }

  private boolean isTaken(Partition partition, long offset) {
    return spans(partition).anyMatch(span -> span.first() <= offset && offset <= span.last());
  }

  private boolean isLater(Partition partition, long offset) {
    return spans(partition).allMatch(span -> span.last() < offset);
  }

  /** A topic's id isn't compared: what a job has read of an older one isn't there any more. */
  private Stream<Ledger.Span> spans(Partition partition) {
    return taken.entries().entrySet().stream()
        .filter(
            entry ->
                entry.getKey().topic().equals(partition.topic())
                    && entry.getKey().number() == partition.number())
        .map(entry -> entry.getValue().taken());
  }

  private void hash(RawRecord record) {
    digest.update(
        "%s %s\n".formatted(record.partition(), record.offset()).getBytes(StandardCharsets.UTF_8));
    hash(record.key());
    hash(record.value());
  }

  private void hash(byte[] bytesOrNull) {
    digest.update(
        ByteBuffer.allocate(Integer.BYTES)
            .putInt(bytesOrNull == null ? -1 : bytesOrNull.length)
            .array());
    if (bytesOrNull != null) {
      digest.update(bytesOrNull);
    }
  }

  /**
   * Adds records that are named by their places, which may not be in their topics any more, as far
   * as the model has taken them.
   */
  void addNamed(RecordSet named) {
    for (RecordRun run : named.runs()) {
      forgotten.split(run, before::add, this::addNamed);
    }
  }

  private void addNamed(RecordRun run) {
    spans(new Partition(run.topic(), run.partition())).forEach(span -> addTaken(run, span));
    known.split(run, inside -> {}, unknown::add);
  }

  private void addTaken(RecordRun run, Ledger.Span taken) {
    long first = Math.max(run.first(), taken.first());
    long end = Math.min(run.end(), taken.last() + 1);
    if (first < end) {
      known.add(new RecordRun(run.topic(), run.partition(), first, Math.toIntExact(end - first)));
    }
  }

  /**
   * Returns how many records the model has taken that aren't in their topics any more, those
   * included that were {@linkplain #forgottenAndGone forgotten}.
   */
  long gone() {
    long all = taken.entries().values().stream().mapToLong(entry -> entry.taken().count()).sum();
    return Math.max(0, all - seen);
  }

  /** Returns how many records at most were forgotten before, and aren't in their topics either. */
  long forgottenAndGone() {
    return Math.min(gone(), forgotten.count() - forgottenSeen);
  }

  /** Returns those that were forgotten before. */
  RecordSet before() {
    return before;
  }

  /**
   * Returns those that are named by their places, and that the model has never had: it may be about
   * to read them, or there are none.
   */
  RecordSet unknown() {
    return unknown;
  }

  /** Returns those that the model has taken, and still knows. */
  RecordSet known() {
    return known;
  }

  /** Returns how many the model has yet to read, if its job goes on. */
  long later() {
    return later;
  }

  /**
   * Returns the SHA-256 of those that are there: of each its place in a line, its key and its
   * value, these with their lengths before them; −1 where there is none.
   */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
