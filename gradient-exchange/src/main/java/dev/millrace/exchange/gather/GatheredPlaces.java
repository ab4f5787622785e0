package dev.millrace.exchange.gather;

import dev.millrace.exchange.round.ContributionId;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Says which gatherer has which contribution that is in no round yet, for a checkpoint. Where there
 * are as many gatherers again, each has its own; otherwise they are dealt out anew, and nobody
 * knows.
 *
 * @param gatherers how many there are
 * @param places gatherers, by the contributions of which it is known
 */
public record GatheredPlaces(int gatherers, Map<ContributionId, Integer> places) {

  /** Says it of no contribution. */
  public static final GatheredPlaces NONE = new GatheredPlaces(0, Map.of());

  private static final int FORMAT = 1;

  public GatheredPlaces {
    places = Map.copyOf(places);
  }

  /**
   * Returns which gatherer has a contribution; empty if nobody knows.
   *
   * @param now how many gatherers there are now
   */
  OptionalInt of(ContributionId contribution, int now) {
    Integer place = now == gatherers ? places.get(contribution) : null;
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(gatherers);
    out.writeInt(places.size());
    for (var place : places.entrySet()) {
      place.getKey().write(out);
      out.writeInt(place.getValue());
    }
  }

  /** Reads what {@link #write} wrote. */
  public static GatheredPlaces read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, GatheredPlaces.class);
    int gatherers = in.readInt();
    Map<ContributionId, Integer> places = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      places.put(ContributionId.read(in), in.readInt());
    }
    return new GatheredPlaces(gatherers, places);
  }
}
