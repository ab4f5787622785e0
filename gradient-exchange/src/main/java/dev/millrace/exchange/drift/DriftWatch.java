package dev.millrace.exchange.drift;

import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Looks for drifts in what contributions tell, in the order in which rounds include them. All of
 * its state is in the coordinator's checkpoint: so what it finds is the same whatever fails.
 *
 * <p>Not thread-safe.
 */
public final class DriftWatch {

  private static final int FORMAT = 1;

  private final Detection detection;
  private final Map<Detection.Kind, DriftDetector> detectors = new EnumMap<>(Detection.Kind.class);
  private final ErrorScale scale = new ErrorScale();
  private final FeatureWatch features;
  private final SampleWatch samples;
  private List<Finding> found = new ArrayList<>();
  private FeatureStatistics ofRound = new FeatureStatistics(0);
  private SortedSet<Integer> moved = new TreeSet<>();

  public DriftWatch(Detection detection) {
    this.detection = detection;
    detection.detectors().forEach(kind -> detectors.put(kind, detection.detector(kind)));
    this.features = new FeatureWatch(detection.confidence());
    this.samples = new SampleWatch(detection.confidence());
  }

  /** Adds what the next member of the round tells. */
  public void add(ErrorTrace errors, FeatureStatistics statistics, FeatureSample sample) {
    for (int example = 0; example < errors.size(); example++) {
      double error = scale.of(errors.get(example), errors.isOfBits());
      detectors.forEach(
          (kind, detector) -> {
            if (detector.add(error)) {
              found.add(
                  new Finding(kind.toString(), detector.before(), detector.after(), List.of()));
            }
          });
    }
    if (detection.ofSamples()) {
      moved.addAll(samples.add(sample));
    }
    if (detection.features() == Features.ADWIN && statistics.features() > 0) {
      if (ofRound.features() == 0) {
        ofRound = new FeatureStatistics(statistics.features());
      }
      ofRound.merge(statistics);
    }
  }

  /**
   * All members of the round are added.
   *
   * @param all statistics of all rounds with this one
   * @return what was found in it
   */
  public List<Finding> close(FeatureStatistics all) {
    List<Finding> ofThisRound = found;
    if (ofRound.count() > 0) {
      moved.addAll(features.close(ofRound, all));
    }
    if (!moved.isEmpty()) {
      ofThisRound.add(new Finding("features", Double.NaN, Double.NaN, List.copyOf(moved)));
    }
    moved = new TreeSet<>();
    found = new ArrayList<>();
    ofRound = new FeatureStatistics(0);
    return ofThisRound;
  }

  /** Writes what is kept between rounds. */
  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    scale.write(out);
    out.writeInt(detectors.size());
    for (var detector : detectors.entrySet()) {
      out.writeUTF(detector.getKey().name());
      writePart(detector.getValue()::write, out);
    }
    writePart(features::write, out);
    writePart(samples::write, out);
  }

  private interface Part {
    void write(DataOutput out) throws IOException;
  }

  private static void writePart(Part part, DataOutput out) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.write(new DataOutputStream(bytes));
    out.writeInt(bytes.size());
    out.write(bytes.toByteArray());
  }

  /** Goes on from what {@link #write} wrote; what was saved of other detectors is left aside. */
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, DriftWatch.class);
    scale.read(in);
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      DataInput part = readPart(in);
      for (var detector : detectors.entrySet()) {
        if (detector.getKey().name().equals(name)) {
          detector.getValue().read(part);
        }
      }
    }
    features.read(readPart(in));
    DataInput part = readPart(in);
    if (detection.ofSamples()) {
      samples.read(part);
    }
  }

  private static DataInput readPart(DataInput in) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(BulkArrays.readBytes(in)));
  }
}
