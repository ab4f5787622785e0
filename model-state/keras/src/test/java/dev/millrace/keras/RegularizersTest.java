package dev.millrace.keras;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegularizersTest {

  /** Keras adds 0.01 times the square to the loss, DL4J half of its factor. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'class_name': 'L2', 'config': {'l2': 0.01}}"
            + " | {'class_name': 'L1L2', 'config': {'l2': 0.02, 'l1': 0.0}}",
        "{'class_name': 'L1', 'config': {'l1': 0.01}}"
            + " | {'class_name': 'L1L2', 'config': {'l1': 0.01, 'l2': 0.0}}",
        "{'class_name': 'L1L2', 'config': {'l1': 0, 'l2': 1}}"
            + " | {'class_name': 'L1L2', 'config': {'l1': 0.0, 'l2': 2.0}}",
        "{'name': 'WeightRegularizer', 'l1': 0.5, 'l2': 0.25}"
            + " | {'name': 'WeightRegularizer', 'l1': 0.5, 'l2': 0.5}",
        "null | null",
        "'my own' | 'my own'",
      })
  void haveTheNamesAndFactorsOfDl4jsImport(String keras, String expected) throws Exception {
    String layer = "{'config': {'layers': [{'config': {'kernel_regularizer': %s}}]}}";
    JsonNode model = json(layer.formatted(keras));

    Regularizers.adapt(model);

    assertThat(model).isEqualTo(json(layer.formatted(expected)));
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
