package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Payload;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A contributed change that waits for its round. After a restore it may be of another codec than
 * the job's.
 *
 * @param codec that it was encoded by; null for the job's
 */
record WaitingChange(Payload payload, Codec codec) {

  /** See {@link Codec#receive}. */
  float[] receive(Codec ofJob, float[] scratch, int length) {
    return codecOr(ofJob).receive(payload, scratch, length);
  }

  void write(DataOutput out, Codec ofJob) throws IOException {
    out.writeUTF(codecOr(ofJob).name());
    payload.write(out);
  }

  /** Reads what {@link #write} wrote. */
  static WaitingChange read(DataInput in) throws IOException {
    Codec codec = Codec.named(in.readUTF());
    return new WaitingChange(Payload.read(in), codec);
  }

  private Codec codecOr(Codec ofJob) {
    return codec == null ? ofJob : codec;
  }
}
