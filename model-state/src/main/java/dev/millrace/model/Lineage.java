package dev.millrace.model;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a model comes from, besides the records that it has learned from. It is part of every
 * checkpoint, so that a model exported from one tells the same as one that the job published.
 *
 * @param parentOrNull the model that the job began with, where that was a file
 * @param configuration the job's options, without secrets
 */
public record Lineage(Parent parentOrNull, Map<String, String> configuration)
    implements Serializable {

  public static final Lineage NONE = new Lineage(null, Map.of());

  public static final WireFormat<Lineage> WIRE = new LineageWire();

  /**
   * The archive of a warm start.
   *
   * @param source where it was read from
   * @param sha256 of the file, in hexadecimal
   * @param version null where the archive says nothing of it: it isn't Millrace's
   */
  public record Parent(String source, String sha256, ModelVersion version)
      implements Serializable {}

  public Lineage {
    configuration = new TreeMap<>(configuration);
  }

  public Optional<Parent> parent() {
    return Optional.ofNullable(parentOrNull);
  }

  /** This job's options, and the parent that a checkpoint names: a restore begins no new model. */
  public Lineage restoredFrom(Lineage saved) {
    return new Lineage(saved.parentOrNull, configuration);
  }

  private static final class LineageWire implements WireFormat<Lineage>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Lineage lineage, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeBoolean(lineage.parentOrNull != null);
      if (lineage.parentOrNull != null) {
        write(lineage.parentOrNull, out);
      }
      out.writeInt(lineage.configuration.size());
      for (var option : lineage.configuration.entrySet()) {
        out.writeUTF(option.getKey());
        // Lists may be longer than the 64 KB of writeUTF.
        BulkArrays.writeBytes(out, option.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }

    private static void write(Parent parent, DataOutput out) throws IOException {
      out.writeUTF(parent.source());
      out.writeUTF(parent.sha256());
      out.writeBoolean(parent.version() != null);
      if (parent.version() != null) {
        out.writeLong(parent.version().generation());
        out.writeLong(parent.version().round());
      }
    }

    @Override
    public Lineage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Lineage.class);
      Parent parent = in.readBoolean() ? readParent(in) : null;
      Map<String, String> configuration = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        String key = in.readUTF();
        configuration.put(key, new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8));
      }
      return new Lineage(parent, configuration);
    }

    private static Parent readParent(DataInput in) throws IOException {
      String source = in.readUTF();
      String sha256 = in.readUTF();
      return new Parent(
          source, sha256, in.readBoolean() ? new ModelVersion(in.readLong(), in.readLong()) : null);
    }
  }
}
