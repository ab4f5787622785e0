package dev.millrace.model.torch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All of a model but its vector, as {@link ModelSpec#configuration()} has it.
 *
 * @param training how it learns; null where an archive doesn't say it
 * @param slots where its tensors are in the vector, by rising index and without gaps: trainable
 *     parameters first, then buffers
 * @param types by its name, the class of each layer that has a tensor in the vector, such as {@code
 *     Linear}
 * @param module the TorchScript archive, see {@link ModuleArchive#toText}: the tensors of the
 *     vector have no values in it
 */
record TorchConfiguration(
    Training training, List<TensorSlot> slots, Map<String, String> types, String module) {

  /** A module may have large constants. */
  private static final int MOST_CHARACTERS = 400_000_000;

  private static final JsonMapper MAPPER =
      StrictJson.mapper(MOST_CHARACTERS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  TorchConfiguration {
    Objects.requireNonNull(module, "module");
    slots = List.copyOf(slots);
    // In one order in each process: configurations are compared.
    types = Collections.unmodifiableSortedMap(new TreeMap<>(types));
    int end = 0;
    for (TensorSlot slot : slots) {
      if (slot.from() != end) {
        throw new IllegalArgumentException(
            "%s begins at %s, and the tensor before it ends at %s"
                .formatted(slot.name(), slot.from(), end));
      }
      end = slot.to();
    }
  }

  /**
   * @throws InvalidModelException if it isn't one; it may be out of anybody's savepoint
   */
  static TorchConfiguration fromJson(String json) {
    try {
      StrictJson.requireRoom(json);
      TorchConfiguration read = MAPPER.readValue(json, TorchConfiguration.class);
      if (read != null) {
        return read;
      }
      throw new InvalidModelException("The model's configuration is null");
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "The model's configuration is none of the engine torch: " + StrictJson.reason(e), e);
    } catch (IOException e) {
      throw new InvalidModelException(
          "The model's configuration is none of the engine torch: " + e.getMessage(), e);
    }
  }

  String toJson() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A configuration that is no JSON", e);
    }
  }

  /** Returns how many values of the vector are trainable parameters; they come first. */
  int trainable() {
    return slots.stream()
        .filter(slot -> slot.role() == TensorSlot.Role.PARAMETER)
        .mapToInt(TensorSlot::length)
        .sum();
  }

  /** Returns how many values trainable parameters and buffers have: where updater state begins. */
  int parameters() {
    return slots.isEmpty() ? 0 : slots.get(slots.size() - 1).to();
  }

  int updaterState() {
    return training == null ? 0 : Math.multiplyExact(trainable(), training.updater().slots());
  }

  /**
   * Returns the spec of a model with this configuration, which takes and gives what the shape says.
   */
  ModelSpec spec(ExampleShape shape) {
    int trainable = trainable();
    int parameters = parameters();
    return new ModelSpec(
        TorchArchive.ENGINE,
        TorchArchive.KIND,
        toJson(),
        shape,
        parameters,
        updaterState(),
        nonNegative(trainable, parameters),
        parameters == trainable ? List.of() : List.of(new IndexRange(trainable, parameters)));
  }

  private List<IndexRange> nonNegative(int trainable, int parameters) {
    List<IndexRange> ranges = new ArrayList<>();
    for (TensorSlot slot : slots) {
      if (slot.variance()) {
        ranges.add(new IndexRange(slot.from(), slot.to()));
      }
    }
    UpdaterKind updater = training.updater();
    if (updater.firstNonNegativeSlot() < updater.slots()) {
      ranges.add(
          new IndexRange(
              parameters + updater.firstNonNegativeSlot() * trainable,
              parameters + updater.slots() * trainable));
    }
    return ranges;
  }
}
