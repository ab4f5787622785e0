package dev.millrace.exchange.codec;

import java.util.Arrays;

/**
 * See {@link ThresholdCodec}. Unless its rule looks at changes, a segment has one threshold
 * throughout a change, adapted when the change is complete by how many of its values were sent. A
 * segment that didn't change at all keeps its threshold: nothing can be learned from it, and
 * shrinking with every such change the threshold would be of no use when the segment does change.
 */
final class ThresholdEncoder implements Encoder {

  private final Segments segments;
  private final ThresholdRule rule;
  private final float[] thresholds;

  /** The values of this change that were sent so far, by segment. */
  private final int[] sent;

  private final int[] seen;
  private final boolean[] changed;

  private final PayloadWriter out = new PayloadWriter();
  private final Sample sample = new Sample();
  private int[] hits = new int[0];
  private long examples;

  ThresholdEncoder(Segments segments, ThresholdRule rule) {
    this.segments = segments;
    this.rule = rule;
    this.thresholds = new float[segments.count()];
    this.sent = new int[thresholds.length];
    this.seen = new int[thresholds.length];
    this.changed = new boolean[thresholds.length];
    Arrays.fill(thresholds, rule.first());
  }

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    if (hits.length < length) {
      hits = new int[length];
    }
    out.clear();
    segments.forEachPiece(offset, length, (s, from, to) -> encodePiece(s, change, from, to));
    return out.toBytes();
  }

  private void encodePiece(int segment, float[] change, int from, int to) {
    if (rule.looksAtChanges()) {
      sample.take(change, from, to);
      thresholds[segment] = normal(rule.of(sample, thresholds[segment], examples));
    }
    int count = SignPiece.take(change, from, to, thresholds[segment], hits);
    SignPiece.write(out, to - from, thresholds[segment], hits, count);
    sent[segment] += count;
    seen[segment] += to - from;
    changed[segment] = changed[segment] || count > 0 || anyNonZero(change, from, to);
  }

  private static boolean anyNonZero(float[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      if (values[i] != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void learned(long ofJob) {
    examples = ofJob;
  }

  @Override
  public void complete() {
    for (int s = 0; s < thresholds.length; s++) {
      if (changed[s]) {
        thresholds[s] = normal(rule.next(thresholds[s], (double) sent[s] / seen[s]));
      }
      sent[s] = 0;
      seen[s] = 0;
      changed[s] = false;
    }
  }

  private static float normal(float threshold) {
    return Math.min(Math.max(threshold, Float.MIN_NORMAL), Float.MAX_VALUE);
  }

  /** The threshold of each segment; between changes there is nothing else. */
  @Override
  public float[] save() {
    return thresholds.clone();
  }

  @Override
  public void restore(float[] saved) {
    if (saved.length != thresholds.length) {
      return;
    }
    for (float threshold : saved) {
      if (!FixedThreshold.isThreshold(threshold)) {
        return;
      }
    }
    System.arraycopy(saved, 0, thresholds, 0, saved.length);
  }
}
