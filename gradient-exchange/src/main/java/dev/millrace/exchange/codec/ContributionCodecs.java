package dev.millrace.exchange.codec;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.shape.IndexRange;
import java.io.Serializable;
import java.util.List;

/**
 * How contributions are encoded, see {@link ContributionEncoder}.
 *
 * @param parameters codec of the parameters' changes
 * @param updaterState codec of the updater's state, where that is exchanged
 * @param segments parts of the exchanged vector whose changes are of one scale
 * @param decay what stays, from one contribution to the next, of what was left out of the
 *     parameters' changes: from 0, nothing, to 1, all of it
 */
public record ContributionCodecs(
    Codec parameters, Codec updaterState, List<IndexRange> segments, double decay)
    implements Serializable {

  /** Every bit of everything. */
  public static final ContributionCodecs EXACT = ofAll(Codec.float32(), List.of());

  public ContributionCodecs {
    if (!(decay >= 0 && decay <= 1)) {
      throw new IllegalArgumentException(
          "What stays of what was left out is from 0 to 1, not " + decay);
    }
    segments = List.copyOf(segments);
  }

  /** Makes codecs of which all that is left out stays. */
  public ContributionCodecs(Codec parameters, Codec updaterState, List<IndexRange> segments) {
    this(parameters, updaterState, segments, 1);
  }

  /** One codec for parameters and updater state. */
  public static ContributionCodecs ofAll(Codec codec, List<IndexRange> segments) {
    return new ContributionCodecs(codec, codec, segments);
  }

  /** Returns the same codecs with another {@link #decay}. */
  public ContributionCodecs withDecay(double other) {
    return new ContributionCodecs(parameters, updaterState, segments, other);
  }

  /** A replica's side. */
  public ContributionEncoder encoder(BlockLayout layout) {
    return new ContributionEncoder(layout, this);
  }
}
