package dev.millrace.exchange.codec;

/**
 * See {@link TwoBitTopKCodec}. Of values of one magnitude, those with the lower indices are sent.
 */
final class TwoBitTopKEncoder implements Encoder {

  private final Segments segments;
  private final double share;
  private final GreatestMagnitudes greatest = new GreatestMagnitudes();
  private final TwoMagnitudes magnitudes = new TwoMagnitudes();
  private final PayloadWriter out = new PayloadWriter();
  private int[] indices = new int[0];

  TwoBitTopKEncoder(Segments segments, double share) {
    this.segments = segments;
    this.share = share;
  }

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    out.clear();
    segments.forEachPiece(offset, length, (s, from, to) -> encodePiece(change, from, to));
    return out.toBytes();
  }

  private void encodePiece(float[] change, int from, int to) {
    int most = (int) Math.max(1, Math.round(share * (to - from)));
    if (indices.length < most) {
      indices = new int[most];
    }
    int count = greatest.find(change, from, to, most, indices);
    if (!magnitudes.fit(change, indices, count)) {
      count = 0;
    }
    TwoBitPiece.write(out, change, from, to, magnitudes, indices, count);
    magnitudes.takeOff(change, indices, count);
  }
}
