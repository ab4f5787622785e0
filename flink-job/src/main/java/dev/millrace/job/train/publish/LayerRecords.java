package dev.millrace.job.train.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.layer.Distribution;
import dev.millrace.exchange.layer.LayerStatistics;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.layer.TensorStatistics;

/** JSON records of type {@code layers}; docs/internals/formats.md describes them. */
public final class LayerRecords {

  private LayerRecords() {}

  /** Writes what the layers of the first replica's network are like. */
  public static String layers(LayersReport report) {
    ObjectNode record = MetricRecords.ofReplica("layers", report.time(), report.round());
    ArrayNode layers = record.putArray("layers");
    report.layers().forEach(layer -> put(layers.addObject(), layer));
    return record.toString();
  }

  private static void put(ObjectNode told, LayerStatistics layer) {
    told.put("layer", layer.layer());
    if (layer.units() > 0) {
      told.put("units", layer.units());
    }
    putNumber(told, "deadShare", layer.deadShare());
    putNumber(told, "effectiveRank", layer.effectiveRank());
    putNumber(told, "weightNorm", layer.weightNorm());
    putNumber(told, "updateRatio", layer.updateRatio());
    put(told, "activations", layer.activations());
    ArrayNode tensors = told.putArray("tensors");
    for (TensorStatistics tensor : layer.tensors()) {
      ObjectNode one = tensors.addObject().put("tensor", tensor.name());
      put(one, "weights", tensor.weights());
      put(one, "updates", tensor.updates());
    }
  }

  private static void put(ObjectNode record, String name, Distribution distribution) {
    if (distribution.count() > 0) {
      ObjectNode told = record.putObject(name).put("count", distribution.count());
      putNumber(told, "mean", distribution.mean());
      putNumber(told, "deviation", distribution.deviation());
      putNumber(told, "magnitude", distribution.magnitude());
      told.put("low", distribution.low()).put("high", distribution.high());
      ArrayNode bins = told.putArray("bins");
      distribution.bins().forEach(bins::add);
    }
  }

  /** JSON has no other numbers. As many digits as a float has are enough for what is looked at. */
  private static void putNumber(ObjectNode record, String name, double value) {
    if (Double.isFinite(value)) {
      record.put(name, (float) value);
    }
  }
}
