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
 */
public record ContributionCodecs(Codec parameters, Codec updaterState, List<IndexRange> segments)
    implements Serializable {

  /** Every bit of everything. */
  public static final ContributionCodecs EXACT = ofAll(Codec.float32(), List.of());

  public ContributionCodecs {
    segments = List.copyOf(segments);
  }

  /** One codec for parameters and updater state. */
  public static ContributionCodecs ofAll(Codec codec, List<IndexRange> segments) {
    return new ContributionCodecs(codec, codec, segments);
  }

  /** A replica's side. */
  public ContributionEncoder encoder(BlockLayout layout) {
    return new ContributionEncoder(layout, parameters, updaterState, segments);
  }
}
