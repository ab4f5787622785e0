package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.layer.Distribution;
import dev.millrace.exchange.layer.LayerStatistics;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.layer.TensorStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerRecordsTest {

  @Test
  void layersAreToldAsFarAsTheyAreKnown() {
    LayersReport report =
        new LayersReport(
            5,
            7,
            List.of(
                new LayerStatistics(
                    "a", 4, 0.25, 2.5, of(0, 1), List.of(tensor("a_W", of(-2, 2), of(1, 1)))),
                new LayerStatistics(
                    "b",
                    0,
                    Double.NaN,
                    Double.NaN,
                    Distribution.NONE,
                    List.of(tensor("b_W", of(0, 0), of(0, 0))))));

    String bins = "[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]";
    String first = "[2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";
    String deviation = String.valueOf((float) Math.sqrt(0.5));
    assertThat(LayerRecords.layers(report))
        .isEqualTo(
            "{\"type\":\"layers\",\"time\":5,\"round\":7,\"layers\":["
                + "{\"layer\":\"a\",\"units\":4,\"deadShare\":0.25,\"effectiveRank\":2.5,"
                + "\"weightNorm\":%s,\"updateRatio\":0.5,".formatted((float) Math.sqrt(8))
                + "\"activations\":{\"count\":2,\"mean\":0.5,\"deviation\":%s,\"magnitude\":0.5,"
                    .formatted(deviation)
                + "\"low\":0.0,\"high\":1.0,\"bins\":%s},\"tensors\":[{\"tensor\":\"a_W\","
                    .formatted(bins)
                + "\"weights\":{\"count\":2,\"mean\":0.0,\"deviation\":%s,\"magnitude\":2.0,"
                    .formatted((float) Math.sqrt(8))
                + "\"low\":-2.0,\"high\":2.0,\"bins\":%s},".formatted(bins)
                + "\"updates\":{\"count\":2,\"mean\":1.0,\"deviation\":0.0,\"magnitude\":1.0,"
                + "\"low\":1.0,\"high\":1.0,\"bins\":%s}}]},".formatted(first)
                + "{\"layer\":\"b\",\"weightNorm\":0.0,\"tensors\":[{\"tensor\":\"b_W\","
                + "\"weights\":{\"count\":2,\"mean\":0.0,\"deviation\":0.0,\"magnitude\":0.0,"
                + "\"low\":0.0,\"high\":0.0,\"bins\":%s},".formatted(first)
                + "\"updates\":{\"count\":2,\"mean\":0.0,\"deviation\":0.0,\"magnitude\":0.0,"
                + "\"low\":0.0,\"high\":0.0,\"bins\":%s}}]}]}".formatted(first));
  }

  private static TensorStatistics tensor(String name, Distribution weights, Distribution updates) {
    return new TensorStatistics(name, weights, updates);
  }

  private static Distribution of(float... values) {
    return Distribution.of(values, values.length);
  }
}
