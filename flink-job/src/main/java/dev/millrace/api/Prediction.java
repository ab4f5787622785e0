package dev.millrace.api;

import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * What one version of a model says of a record.
 *
 * @param record the record
 * @param outputs class probabilities, scores of labels, or values; of each step where steps have
 *     some
 * @param version of the model
 * @param <T> the record
 */
@PublicEvolving
@SuppressWarnings("ArrayRecordComponent") // Compared by whoever reads it; copying costs more.
public record Prediction<T>(T record, float[] outputs, String version) {

  /** Number of the greatest output: the most probable class. */
  public int best() {
    int best = 0;
    for (int i = 1; i < outputs.length; i++) {
      if (outputs[i] > outputs[best]) {
        best = i;
      }
    }
    return best;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  static <T> TypeInformation<Prediction<T>> type(TypeInformation<T> record) {
    return (TypeInformation)
        Types.POJO(
            Prediction.class,
            Map.of(
                "record", record,
                "outputs", PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO,
                "version", Types.STRING));
  }
}
