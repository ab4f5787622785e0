package dev.millrace.exchange.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What comes of a change that is sent block by block: the payloads, what decodes, what is left. */
record Sent(List<byte[]> payloads, float[] decoded, float[] left) {

  static Sent send(Codec codec, Encoder encoder, float[] change, int blockSize) {
    List<byte[]> payloads = new ArrayList<>();
    float[] decoded = new float[change.length];
    float[] left = change.clone();
    // Longer than a block, and not zero, as blocks in reused arrays are.
    float[] block = new float[blockSize + 3];
    for (int offset = 0; offset < change.length; offset += blockSize) {
      int length = Math.min(blockSize, change.length - offset);
      Arrays.fill(block, 7f);
      System.arraycopy(change, offset, block, 0, length);
      byte[] payload = encoder.encode(offset, block, length);
      payloads.add(payload);
      if (encoder.isLossless()) {
        Arrays.fill(left, offset, offset + length, 0f);
      } else {
        System.arraycopy(block, 0, left, offset, length);
      }
      Arrays.fill(block, 9f);
      codec.decode(payload, block, length);
      System.arraycopy(block, 0, decoded, offset, length);
      if (block[length] != 9f) {
        throw new AssertionError("Written beyond the block");
      }
    }
    return new Sent(payloads, decoded, left);
  }

  int bytes() {
    return payloads.stream().mapToInt(payload -> payload.length).sum();
  }
}
