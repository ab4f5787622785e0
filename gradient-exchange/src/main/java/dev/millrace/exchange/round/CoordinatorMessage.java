package dev.millrace.exchange.round;

import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.Ledger;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.OptionalLong;

/** What replicas tell the coordinator. */
public sealed interface CoordinatorMessage {

  WireFormat<CoordinatorMessage> WIRE = new MessageWire();

  /** Number of the replica that speaks. */
  int replica();

  /**
   * First word of a replica after every start.
   *
   * @param replicas how many replicas the job has now
   * @param home where the replica is told, see {@code ReplicaLinks}
   */
  record Hello(int replica, int replicas, String home) implements CoordinatorMessage {}

  /**
   * "Contribution {@code sequence} is on its way to every block that it covers."
   *
   * @param fragment the blocks that it covers
   * @param phases where the time went since the contribution before
   * @param facts for people
   */
  record Announcement(
      int replica,
      long sequence,
      Fragment fragment,
      ContributionMetadata metadata,
      Phases phases,
      ContributionFacts facts)
      implements CoordinatorMessage {

    /** Returns the same of a replica that did this for it. */
    public Announcement retold(String log) {
      return new Announcement(replica, sequence, fragment, metadata.retold(log), phases, facts);
    }

    /** Announces a contribution to all blocks. */
    public Announcement(int replica, long sequence, ContributionMetadata metadata, Phases phases) {
      this(replica, sequence, Fragment.WHOLE, metadata, phases);
    }

    /** Announces a contribution that nothing is told of. */
    public Announcement(
        int replica,
        long sequence,
        Fragment fragment,
        ContributionMetadata metadata,
        Phases phases) {
      this(replica, sequence, fragment, metadata, phases, ContributionFacts.NONE);
    }

    /**
     * Returns the same announcement, where so many records wait behind those that the replica's
     * source has read.
     */
    public Announcement withPending(OptionalLong records) {
      return new Announcement(replica, sequence, fragment, metadata, phases, facts.with(records));
    }
  }

  /**
   * "What I have learned since my last contribution is no good: it has been left out, and I have
   * nothing for now."
   *
   * @param records all since: those that it had learned, which are left out with it, and those that
   *     were rejected one by one
   * @param reason what is wrong with it, and what to do; at most a few hundred characters
   */
  record Refusal(int replica, Ledger records, String reason) implements CoordinatorMessage {

    /** Returns how many records are left out with it. */
    public long dropped() {
      return records.learnedCount();
    }

    /** All of the records as rejected ones, which is what they are to the global model. */
    public Ledger rejected() {
      Ledger rejected = new Ledger();
      rejected.reject(records);
      return rejected;
    }
  }

  /** "I have no examples: don't wait for me until I announce again." */
  record Idle(int replica) implements CoordinatorMessage {}

  /**
   * "My input has ended." All that was learned has been announced before.
   *
   * @param rejected records that were rejected after the last announcement
   */
  record Farewell(int replica, Ledger rejected) implements CoordinatorMessage {}

  /** One byte of kind behind the version. */
  final class MessageWire implements WireFormat<CoordinatorMessage>, Serializable {

    private static final int VERSION = 1;

    private MessageWire() {}

    @Override
    public void write(CoordinatorMessage message, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(message.replica());
      if (message instanceof Hello hello) {
        out.writeByte('H');
        out.writeInt(hello.replicas());
        out.writeUTF(hello.home());
      } else if (message instanceof Announcement announcement) {
        out.writeByte('A');
        out.writeLong(announcement.sequence());
        announcement.fragment().write(out);
        ContributionMetadata.WIRE.write(announcement.metadata(), out);
        Phases.WIRE.write(announcement.phases(), out);
        announcement.facts().write(out);
      } else if (message instanceof Refusal refusal) {
        out.writeByte('R');
        Ledger.WIRE.write(refusal.records(), out);
        out.writeUTF(refusal.reason());
      } else if (message instanceof Idle) {
        out.writeByte('I');
      } else if (message instanceof Farewell farewell) {
        out.writeByte('F');
        Ledger.WIRE.write(farewell.rejected(), out);
      }
    }

    @Override
    public CoordinatorMessage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, CoordinatorMessage.class);
      int replica = in.readInt();
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'H' -> new Hello(replica, in.readInt(), in.readUTF());
        case 'A' ->
            new Announcement(
                replica,
                in.readLong(),
                Fragment.read(in),
                ContributionMetadata.WIRE.read(in),
                Phases.WIRE.read(in),
                ContributionFacts.read(in));
        case 'R' -> new Refusal(replica, Ledger.WIRE.read(in), in.readUTF());
        case 'I' -> new Idle(replica);
        case 'F' -> new Farewell(replica, Ledger.WIRE.read(in));
        default -> throw new IOException("Unknown kind of coordinator message: " + kind);
      };
    }
  }
}
