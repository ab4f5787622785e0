package dev.millrace.exchange.codec;

/** See {@link TopKCodec}. Of values of one magnitude, those with the lower indices are sent. */
final class TopKEncoder implements Encoder {

  private final double share;
  private final GreatestMagnitudes greatest = new GreatestMagnitudes();
  private final PayloadWriter out = new PayloadWriter();
  private int[] indices = new int[0];

  TopKEncoder(double share) {
    this.share = share;
  }

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    int most = (int) Math.max(1, Math.round(share * length));
    if (indices.length < most) {
      indices = new int[most];
    }
    int count = greatest.find(change, 0, length, most, indices);
    boolean allButZeros = count < most || count == length;
    out.clear();
    SparseValues.write(out, change, length, indices, count, allButZeros);
    for (int n = 0; n < count; n++) {
      change[indices[n]] = 0;
    }
    return out.toBytes();
  }
}
