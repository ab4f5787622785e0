package dev.millrace.exchange.codec;

/** See {@link SparseCodec}. */
final class SparseEncoder implements Encoder {

  private final PayloadWriter out = new PayloadWriter();
  private int[] indices = new int[0];

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    if (indices.length < length) {
      indices = new int[length];
    }
    int count = 0;
    for (int i = 0; i < length; i++) {
      if (change[i] != 0) {
        indices[count++] = i;
      }
    }
    out.clear();
    SparseValues.write(out, change, length, indices, count, true);
    return out.toBytes();
  }

  @Override
  public boolean isLossless() {
    return true;
  }
}
