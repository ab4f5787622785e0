package dev.millrace.job.rows.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The state of rows in a directory, as a checkpoint keeps it.
 *
 * @param location of the directory
 * @param manifest that is published once the checkpoint is complete
 * @param isWhole whether it has all rows of the checkpoint: else it isn't published
 */
record SavedVersion(String location, RowManifest manifest, boolean isWhole) {

  private static final byte VERSION = 1;

  byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(VERSION);
    out.writeUTF(location);
    out.writeBoolean(isWhole);
    out.write(manifest.toJson());
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #bytes} has written.
   *
   * @throws IOException if it isn't of this release
   */
  static SavedVersion of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException(
          "Rows in a directory were saved in the format version %s; this release reads %s"
              .formatted(version, VERSION));
    }
    String location = in.readUTF();
    boolean isWhole = in.readBoolean();
    return new SavedVersion(
        location, RowManifest.read(in.readAllBytes(), "the job's state"), isWhole);
  }
}
