package dev.millrace.job.updates;

import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;

/**
 * A piece of an update: the change of some of the parameters that followers of a whole model have.
 *
 * @param whole the model that all updates of its chain go on from
 * @param origin checksum of that model's parameters: another job's may have the same version
 * @param number of the update in the chain, from 1 on
 * @param piece of the update, from 0 on
 * @param pieces that the update has
 * @param version that the update leads to
 * @param made when that version was
 * @param checksum of the parameters {@linkplain FollowedParameters#checksum behind} all of its
 *     pieces
 * @param learned what that version has learned from; nothing in pieces other than the first
 * @param change of the piece's parameters, encoded
 */
public record ModelUpdate(
    ModelVersion whole,
    long origin,
    int number,
    int piece,
    int pieces,
    ModelVersion version,
    Instant made,
    long checksum,
    Ledger learned,
    byte[] change) {

  private static final int FORMAT = 1;

  public byte[] write() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(change.length + 512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      write(whole, out);
      out.writeLong(origin);
      out.writeInt(number);
      out.writeInt(piece);
      out.writeInt(pieces);
      write(version, out);
      out.writeLong(made.toEpochMilli());
      out.writeLong(checksum);
      Ledger.WIRE.write(learned, out);
      BulkArrays.writeBytes(out, change);
    } catch (IOException e) {
      throw new IllegalStateException("Memory takes all that is written", e);
    }
    return bytes.toByteArray();
  }

  private static void write(ModelVersion version, DataOutputStream out) throws IOException {
    out.writeLong(version.generation());
    out.writeLong(version.round());
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is nothing of the kind
   */
  static ModelUpdate read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      WireFormat.readVersion(in, FORMAT, ModelUpdate.class);
      return new ModelUpdate(
          version(in),
          in.readLong(),
          in.readInt(),
          in.readInt(),
          in.readInt(),
          version(in),
          Instant.ofEpochMilli(in.readLong()),
          in.readLong(),
          Ledger.WIRE.read(in),
          BulkArrays.readBytes(in));
    } catch (RuntimeException e) {
      throw new IOException("it isn't an update: " + e.getMessage(), e);
    }
  }

  private static ModelVersion version(DataInputStream in) throws IOException {
    return new ModelVersion(in.readLong(), in.readLong());
  }
}
