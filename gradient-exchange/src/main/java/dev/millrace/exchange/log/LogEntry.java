package dev.millrace.exchange.log;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One entry of the training log. A round goes on from the round before it of the same generation,
 * the first of a generation from that generation's start, and all others from what they name. So
 * entries may be in any order, and those of attempts that failed lead nowhere.
 */
public sealed interface LogEntry {

  WireFormat<LogEntry> WIRE = new EntryWire();

  /** Returns the version of the global model after what the entry tells. */
  ModelVersion version();

  /**
   * A job, or an attempt after a failure, goes on from a model.
   *
   * @param fromOrNull the version that a savepoint or checkpoint holds; null for a job without one
   * @param replicas how many there are from now on
   * @param readers how many of them can have something to read at most
   */
  record Start(ModelVersion version, ModelVersion fromOrNull, int replicas, int readers)
      implements LogEntry {}

  /**
   * A round was made.
   *
   * @param members its contributions, in the order in which they count
   * @param together replicas whose contributions were combined before they came to the model: of
   *     each process that has several of them
   * @param away replicas that the round didn't wait for, by what they were
   * @param published whether the model was published as soon as it was made
   */
  record Round(
      ModelVersion version,
      List<Contributed> members,
      List<BitSet> together,
      Away away,
      boolean published)
      implements LogEntry {

    public Round {
      members = List.copyOf(members);
      together = List.copyOf(together);
    }

    /** Returns the same without what replicas did, which is too much: nobody can do it again. */
    public Round tooLong() {
      List<Contributed> untold =
          members.stream()
              .map(
                  one ->
                      new Contributed(
                          one.replica(), one.sequence(), one.generation(), ReplicaLog.TOO_LONG))
              .toList();
      return new Round(version, untold, together, away, published);
    }

    /** Whether something that replicas did isn't told, so that nobody can do it again. */
    boolean isTooLong() {
      return members.stream().anyMatch(one -> ReplicaLog.isTooLong(one.log()));
    }

    /** Returns the same of a model that was published at once, or wasn't. */
    public Round published(boolean atOnce) {
      return new Round(version, members, together, away, atOnce);
    }

    /** Returns the same with some contributions combined before. */
    public Round together(List<BitSet> groups) {
      return new Round(version, members, groups, away, published);
    }
  }

  /**
   * A model was made again as if some records had never been: a job may go on from it.
   *
   * @param from the version that had learned them
   * @param records which ones, in any order
   */
  record Forgotten(ModelVersion version, ModelVersion from, List<RecordRun> records)
      implements LogEntry {

    public Forgotten {
      records = List.copyOf(records);
    }
  }

  /**
   * A contribution that is in a round.
   *
   * @param sequence which of the replica's, counted from 1
   * @param generation of the attempt whose replica made it
   * @param log what the replica did since the one before, see {@link ReplicaLog}
   */
  record Contributed(int replica, long sequence, long generation, String log) {}

  /**
   * Replicas that aren't waited for.
   *
   * @param idle without examples
   * @param late a round was made without them
   * @param done whose input has ended
   */
  record Away(BitSet idle, BitSet late, BitSet done) {}

  /** One byte of kind behind the version. No part of a job sends what was forgotten. */
  final class EntryWire implements WireFormat<LogEntry>, Serializable {

    private static final int VERSION = 1;

    /** Stands for the generation of no version. */
    private static final long NOWHERE = -1;

    private EntryWire() {}

    @Override
    public void write(LogEntry entry, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(entry.version().generation());
      out.writeLong(entry.version().round());
      if (entry instanceof Start start) {
        out.writeByte('S');
        out.writeLong(start.fromOrNull() == null ? NOWHERE : start.fromOrNull().generation());
        out.writeInt(start.replicas());
        out.writeInt(start.readers());
      } else if (entry instanceof Round round) {
        out.writeByte('R');
        out.writeBoolean(round.published());
        write(round.away().idle(), out);
        write(round.away().late(), out);
        write(round.away().done(), out);
        out.writeInt(round.together().size());
        for (BitSet group : round.together()) {
          write(group, out);
        }
        out.writeInt(round.members().size());
        for (Contributed member : round.members()) {
          out.writeInt(member.replica());
          out.writeLong(member.sequence());
          out.writeLong(member.generation());
          BulkArrays.writeBytes(out, member.log().getBytes(StandardCharsets.UTF_8));
        }
      } else {
        throw new IllegalArgumentException("No operator makes a " + entry);
      }
    }

    private static void write(BitSet replicas, DataOutput out) throws IOException {
      BulkArrays.writeBytes(out, replicas.toByteArray());
    }

    private static BitSet readReplicas(DataInput in) throws IOException {
      return BitSet.valueOf(BulkArrays.readBytes(in));
    }

    @Override
    public LogEntry read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, LogEntry.class);
      ModelVersion version = new ModelVersion(in.readLong(), in.readLong());
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'S' -> readStart(version, in);
        case 'R' -> readRound(version, in);
        default -> throw new IOException("Unknown kind of log entry: " + kind);
      };
    }

    private static Start readStart(ModelVersion version, DataInput in) throws IOException {
      long generation = in.readLong();
      ModelVersion from =
          generation == NOWHERE ? null : new ModelVersion(generation, version.round());
      return new Start(version, from, in.readInt(), in.readInt());
    }

    private static Round readRound(ModelVersion version, DataInput in) throws IOException {
      boolean published = in.readBoolean();
      Away away = new Away(readReplicas(in), readReplicas(in), readReplicas(in));
      List<BitSet> together = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        together.add(readReplicas(in));
      }
      List<Contributed> members = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        members.add(
            new Contributed(
                in.readInt(),
                in.readLong(),
                in.readLong(),
                new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8)));
      }
      return new Round(version, members, together, away, published);
    }
  }
}
