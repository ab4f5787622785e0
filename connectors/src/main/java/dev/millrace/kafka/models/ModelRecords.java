package dev.millrace.kafka.models;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A published archive as records of a {@link ModelTopic}. */
final class ModelRecords {

  private ModelRecords() {}

  static List<ProducerRecord<byte[], byte[]>> blocks(
      String topic, String slot, String version, byte[] archive) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int block = 0; block < count(archive); block++) {
      int from = block * ModelTopic.BLOCK_BYTES;
      int to = Math.min(archive.length, from + ModelTopic.BLOCK_BYTES);
      ProducerRecord<byte[], byte[]> record =
          record(topic, ModelTopic.blockKey(slot, block), Arrays.copyOfRange(archive, from, to));
      record.headers().add(ModelTopic.VERSION_HEADER, version.getBytes(StandardCharsets.UTF_8));
      records.add(record);
    }
    return records;
  }

  /** Goes after all blocks. */
  static ProducerRecord<byte[], byte[]> manifest(
      String topic,
      String slot,
      String version,
      byte[] archive,
      String signatureOrNull,
      boolean held) {
    ModelManifest manifest =
        new ModelManifest(
            ModelManifest.FORMAT,
            version,
            slot,
            count(archive),
            archive.length,
            ModelSlots.sha256(archive),
            signatureOrNull,
            held);
    return record(topic, ModelTopic.MANIFEST, manifest.write());
  }

  private static int count(byte[] archive) {
    return (archive.length - 1) / ModelTopic.BLOCK_BYTES + 1;
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, byte[] value) {
    return new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
