package dev.millrace.simulate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Defects of codecs and of what these leave out, each planted into the source that it would be in.
 */
final class ResidualDefects {

  private static final String EXCHANGE = "gradient-exchange/src/main/java/dev/millrace/exchange/";
  private static final String RESTORE = EXCHANGE + "replica/VectorCheckpoint.java";
  private static final String ENCODER = EXCHANGE + "replica/ChangeEncoder.java";

  private ResidualDefects() {}

  /** Returns what makes each, by its name in words. */
  static Map<String, List<SourceChange>> all() {
    Map<String, List<SourceChange>> all = new LinkedHashMap<>();
    all.put(
        "residuals: what was left out is lost at a restore",
        List.of(
            new SourceChange(
                RESTORE,
                "residual.restore(SavedVector.readArrays(in));",
                """
                float[][] left = SavedVector.readArrays(in);
                residual.restore(left);
                for (int b = 0; b < left.length; b++) {
                  if (left[b].length > 0) {
                    float[] values = blocks.copy(b);
                    BlockArithmetic.subtract(values, left[b], values.length);
                    blocks.write(b, values);
                  }
                }
                """)));
    all.put(
        "residuals: what was sent is kept, too",
        List.of(
            new SourceChange(EXCHANGE + "codec/TopKEncoder.java", "change[indices[n]] = 0;", "")));
    all.put(
        "residuals: what was left out stays twice",
        List.of(
            new SourceChange(
                ENCODER,
                "boolean nothing = BlockArithmetic.leave(",
                "BlockArithmetic.leave(anchor.of(b), block, size);"
                    + " boolean nothing = BlockArithmetic.leave(")));
    all.put(
        "residuals: the last contribution leaves out what was left out",
        List.of(
            new SourceChange(ENCODER, "|| (last && !encoder.decays())", ""),
            new SourceChange(ENCODER, "if (last && decay == 1) {", "if (false) {")));
    all.put(
        "residuals: what a replica that is no more left out is lost",
        List.of(
            new SourceChange(
                RESTORE,
                "values, theirs.values(), theirs.anchor(), shares.theirs(b), values.length);",
                "values, theirs.anchor(), theirs.anchor(), shares.theirs(b), values.length);")));
    all.put(
        "codecs: a payload is decoded with another scale",
        List.of(
            new SourceChange(
                EXCHANGE + "codec/Int8Codec.java",
                "payload[bytes + i] * scale;",
                "payload[bytes + i] * (scale * 1.05f);")));
    all.put(
        "codecs: a decoded block has what was in its array before",
        List.of(
            new SourceChange(
                EXCHANGE + "codec/SparseValues.java", "Arrays.fill(block, 0, length, 0f);", "")));
    return all;
  }
}
