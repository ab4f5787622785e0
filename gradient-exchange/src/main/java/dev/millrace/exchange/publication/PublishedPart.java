package dev.millrace.exchange.publication;

import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;

/** A part of one version of the global model, on its way to the publisher. */
public sealed interface PublishedPart {

  WireFormat<PublishedPart> WIRE = new PartWire();

  PublicationTrigger trigger();

  /** Returns the round that it is of. */
  long round();

  /**
   * One parameter block, from the exchange.
   *
   * @param movingAverage whether the values are the block's moving average; blocks of updater state
   *     aren't part of such a model
   */
  record Block(
      PublicationTrigger trigger, int block, long round, boolean movingAverage, float[] values)
      implements PublishedPart {}

  /**
   * All the rest, from the coordinator.
   *
   * @param purposes of a round's model; those of checkpoints and of the end follow from that
   */
  record Head(
      PublicationTrigger trigger,
      Set<Purpose> purposes,
      ModelVersion version,
      long iteration,
      LearnedFeatures learned,
      Ledger ledger,
      Measures prequential,
      Lineage lineage)
      implements PublishedPart {

    @Override
    public long round() {
      return version.round();
    }
  }

  /** One byte of kind behind the version. */
  final class PartWire implements WireFormat<PublishedPart>, Serializable {

    private static final int VERSION = 1;

    private PartWire() {}

    @Override
    public void write(PublishedPart part, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      part.trigger().write(out);
      if (part instanceof Block block) {
        out.writeByte('B');
        out.writeInt(block.block());
        out.writeLong(block.round());
        out.writeBoolean(block.movingAverage());
        BulkArrays.writeFloats(out, block.values());
      } else if (part instanceof Head head) {
        out.writeByte('H');
        Purpose.write(head.purposes(), out);
        out.writeLong(head.version().generation());
        out.writeLong(head.version().round());
        out.writeLong(head.iteration());
        LearnedFeatures.WIRE.write(head.learned(), out);
        Ledger.WIRE.write(head.ledger(), out);
        Measures.WIRE.write(head.prequential(), out);
        Lineage.WIRE.write(head.lineage(), out);
      }
    }

    @Override
    public PublishedPart read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, PublishedPart.class);
      PublicationTrigger trigger = PublicationTrigger.read(in);
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'B' ->
            new Block(
                trigger, in.readInt(), in.readLong(), in.readBoolean(), BulkArrays.readFloats(in));
        case 'H' ->
            new Head(
                trigger,
                Purpose.read(in),
                new ModelVersion(in.readLong(), in.readLong()),
                in.readLong(),
                LearnedFeatures.WIRE.read(in),
                Ledger.WIRE.read(in),
                Measures.WIRE.read(in),
                Lineage.WIRE.read(in));
        default -> throw new IOException("Unknown kind of published part: " + kind);
      };
    }
  }
}
