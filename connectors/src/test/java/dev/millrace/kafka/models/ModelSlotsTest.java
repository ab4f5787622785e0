package dev.millrace.kafka.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ModelSlotsTest {

  private static final int MODELS = 6;

  @Test
  void whereverAWriterDiesAndWhateverCompactionRemovesTheNewestManifestsModelIsWhole()
      throws IOException {
    for (int run = 0; run < 50; run++) {
      long seed = Seeds.next();
      Random random = new Random(seed);
      List<byte[]> archives = new ArrayList<>();
      List<ProducerRecord<byte[], byte[]>> written = new ArrayList<>();
      List<Integer> manifests = new ArrayList<>();
      for (int model = 0; model < MODELS; model++) {
        byte[] archive = new byte[1 + random.nextInt(3 * ModelTopic.BLOCK_BYTES)];
        random.nextBytes(archive);
        archives.add(archive);
        String slot = model % 2 == 0 ? "a" : "b";
        written.addAll(ModelRecords.blocks("t", slot, "0." + model, archive));
        written.add(ModelRecords.manifest("t", slot, "0." + model, archive, null, false));
        manifests.add(written.size());
      }
      int until = random.nextInt(written.size() + 1);
      Optional<byte[]> newest = Optional.empty();
      for (int model = 0; model < MODELS && manifests.get(model) <= until; model++) {
        newest = Optional.of(archives.get(model));
      }

      ModelSlots slots = new ModelSlots();
      compacted(written.subList(0, until), random).forEach(slots::add);

      Optional<ModelManifest> manifest = slots.manifest();
      assertThat(manifest.isPresent()).as("seed %d", seed).isEqualTo(newest.isPresent());
      if (newest.isPresent()) {
        assertThat(slots.archive(manifest.get())).as("seed %d", seed).isEqualTo(newest.get());
      }
    }
  }

  /** Whoever may write to the topic may write any number of blocks. */
  @Test
  void moreBlocksThanMemoryHasRoomForAreLetGoOfAndTheNextModelIsTaken() throws IOException {
    boolean[] room = {false};
    ModelSlots slots = new ModelSlots(bytes -> room[0]);
    byte[] archive = new byte[20 << 20];
    ModelRecords.blocks("t", "a", "0.1", archive).forEach(record -> slots.add(read(record)));
    slots.add(read(ModelRecords.manifest("t", "a", "0.1", archive, null, false)));

    ModelManifest crowded = slots.manifest().orElseThrow();
    assertThatThrownBy(() -> slots.archive(crowded))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("didn't fit into memory");

    room[0] = true;
    ModelRecords.blocks("t", "b", "0.2", archive).forEach(record -> slots.add(read(record)));
    slots.add(read(ModelRecords.manifest("t", "b", "0.2", archive, null, false)));
    assertThat(slots.archive(slots.manifest().orElseThrow())).isEqualTo(archive);
  }

  @Test
  void recordsThatAreNoBlocksAreNotKept() throws IOException {
    ModelSlots slots = new ModelSlots();
    ConsumerRecord<byte[], byte[]> block =
        read(ModelRecords.blocks("t", "c/d", "0.1", new byte[] {1}).get(0));
    slots.add(block);
    slots.add(read(ModelRecords.manifest("t", "c/d", "0.1", new byte[] {1}, null, false)));

    ModelManifest manifest = slots.manifest().orElseThrow();
    assertThatThrownBy(() -> slots.archive(manifest))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("isn't in the topic");
  }

  @Test
  void blocksThatAreNotTheManifestsAreRefused() throws IOException {
    byte[] archive = {1, 2, 3};
    ModelSlots slots = new ModelSlots();
    ModelRecords.blocks("t", "a", "0.1", new byte[] {1, 2, 4})
        .forEach(record -> slots.add(read(record)));
    slots.add(read(ModelRecords.manifest("t", "a", "0.1", archive, null, false)));

    ModelManifest manifest = slots.manifest().orElseThrow();
    assertThatThrownBy(() -> slots.archive(manifest))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("model 0.1");
  }

  /** The length that it names isn't allocated: that could be 2 GB. */
  @Test
  void aManifestOfAnotherLengthThanItsBlocksIsRefused() throws IOException {
    byte[] archive = {1, 2, 3};
    ModelSlots slots = new ModelSlots();
    ModelRecords.blocks("t", "a", "0.1", archive).forEach(record -> slots.add(read(record)));
    slots.add(read(ModelRecords.manifest("t", "a", "0.1", archive, null, false)));
    ModelManifest whole = slots.manifest().orElseThrow();

    for (long bytes : new long[] {-1, 2, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      ModelManifest other =
          new ModelManifest(
              whole.format(),
              "0.1",
              whole.slot(),
              whole.blocks(),
              bytes,
              whole.sha256(),
              null,
              false);
      assertThatThrownBy(() -> slots.archive(other))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("have 3 bytes, and its manifest says " + bytes);
    }
  }

  @Test
  void blocksOfAnotherModelInTheSlotAreRefused() throws IOException {
    byte[] archive = {1, 2, 3};
    ModelSlots slots = new ModelSlots();
    slots.add(read(ModelRecords.manifest("t", "a", "0.1", archive, null, false)));
    ModelRecords.blocks("t", "a", "0.2", archive).forEach(record -> slots.add(read(record)));

    ModelManifest manifest = slots.manifest().orElseThrow();
    assertThatThrownBy(() -> slots.archive(manifest)).hasMessageContaining("Block 0 of 1");
  }

  @Test
  void aManifestThatIsNoneIsNamed() {
    ModelSlots slots = new ModelSlots();
    slots.add(
        read(
            new ProducerRecord<>(
                "t",
                0,
                ModelTopic.MANIFEST.getBytes(StandardCharsets.UTF_8),
                "{\"format\":7}".getBytes(StandardCharsets.UTF_8))));

    assertThatThrownBy(slots::manifest).isInstanceOf(IOException.class).hasMessageContaining("7");
  }

  /** Leaves out some of those that a later record of the same key replaces. */
  private static List<ConsumerRecord<byte[], byte[]>> compacted(
      List<ProducerRecord<byte[], byte[]>> records, Random random) {
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < records.size(); i++) {
      last.put(key(records.get(i)), i);
    }
    List<ConsumerRecord<byte[], byte[]>> left = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (last.get(key(records.get(i))) == i || random.nextBoolean()) {
        left.add(read(records.get(i)));
      }
    }
    return left;
  }

  private static String key(ProducerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> record) {
    return new ConsumerRecord<>(
        record.topic(),
        0,
        0,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        record.key(),
        record.value(),
        new RecordHeaders(record.headers().toArray()),
        Optional.empty());
  }
}
