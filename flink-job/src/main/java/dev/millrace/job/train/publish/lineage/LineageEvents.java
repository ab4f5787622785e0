package dev.millrace.job.train.publish.lineage;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.PartitionProgress.Offsets;
import dev.millrace.snapshot.Release;
import dev.millrace.snapshot.SnapshotDescription;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Events of one run, as OpenLineage's specification has them. A topic is an input, and its facet
 * has the ledger by partition; the place of the models is the output, of the version of the model.
 */
final class LineageEvents {

  static final String NAMESPACE = "millrace";

  private static final JsonMapper JSON = new JsonMapper();
  private static final String SPECIFICATION = "https://openlineage.io/spec/";
  private static final String FACETS = SPECIFICATION + "facets/";

  /** The base of facets that are Millrace's own. */
  private static final String OWN = SPECIFICATION + "2-0-2/OpenLineage.json#/$defs/";

  private static final String PRODUCER = "urn:millrace:" + Release.version();

  private final String job;
  private final String topicsOrNull;
  private final UUID run;

  /**
   * @param serversOrNull of the topics, as Kafka's clients take them; null where records are of no
   *     topic
   */
  LineageEvents(String job, String serversOrNull, UUID run) {
    this.job = job;
    this.topicsOrNull =
        serversOrNull == null ? null : "kafka://" + serversOrNull.split(",", 2)[0].strip();
    this.run = run;
  }

  /**
   * Returns an event without datasets.
   *
   * @param type of the specification, such as {@code START}
   */
  ObjectNode event(String type, Instant at) {
    ObjectNode event = JSON.createObjectNode();
    event.put("eventType", type);
    event.put("eventTime", at.toString());
    event.put("producer", PRODUCER);
    event.put("schemaURL", OWN + "RunEvent");
    event.putObject("run").put("runId", run.toString());
    ObjectNode named = event.putObject("job").put("namespace", NAMESPACE).put("name", job);
    facet(
            named.putObject("facets"),
            "jobType",
            FACETS + "2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet")
        .put("processingType", "STREAMING")
        .put("integration", "MILLRACE")
        .put("jobType", "JOB");
    event.putArray("inputs");
    event.putArray("outputs");
    return event;
  }

  /**
   * Returns what a committed model was made of.
   *
   * @param place of the models, a path or a URI
   */
  ObjectNode model(SnapshotDescription snapshot, String place, Instant at) {
    ObjectNode event = event("RUNNING", at);
    Map<String, ArrayNode> byTopic = new TreeMap<>();
    for (PartitionProgress progress : snapshot.ledger()) {
      ArrayNode partitions =
          byTopic.computeIfAbsent(progress.topic(), topic -> input(event, topic));
      ObjectNode partition = partitions.addObject().put("partition", progress.partition());
      offsets(partition, "learned", progress.learned());
      offsets(partition, "rejected", progress.rejected());
      offsets(partition, "heldOut", progress.heldOut());
      offsets(partition, "skipped", progress.skipped());
    }
    output((ArrayNode) event.get("outputs"), snapshot, place);
    return event;
  }

  private ArrayNode input(ObjectNode event, String topic) {
    ObjectNode dataset = ((ArrayNode) event.get("inputs")).addObject();
    // A file that was learned from before topics were; no topic has a slash in its name.
    if (topic.contains("/")) {
      locate(dataset, topic);
    } else if (topicsOrNull == null) {
      // Several jobs may call theirs the same.
      dataset.put("namespace", NAMESPACE).put("name", job + "/" + topic);
    } else {
      dataset.put("namespace", topicsOrNull).put("name", topic);
    }
    return facet(dataset.putObject("inputFacets"), "millrace_ledger", OWN + "InputDatasetFacet")
        .putArray("partitions");
  }

  private static void offsets(ObjectNode partition, String fate, Offsets offsets) {
    if (offsets != null && offsets.count() > 0) {
      partition
          .putObject(fate)
          .put("count", offsets.count())
          .put("first", offsets.first())
          .put("last", offsets.last());
    }
  }

  private static void output(ArrayNode outputs, SnapshotDescription snapshot, String place) {
    ObjectNode dataset = locate(outputs.addObject(), place);
    ObjectNode facets = dataset.putObject("facets");
    facet(
            facets,
            "version",
            FACETS + "1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet")
        .put("datasetVersion", snapshot.version().toString());
    schema(
        facet(facets, "schema", FACETS + "1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet")
            .putArray("fields"),
        snapshot.shape());
    facet(facets, "millrace_model", OWN + "DatasetFacet")
        .put("archive", snapshot.archive())
        .put("configurationHash", snapshot.configurationHash())
        .put("engine", snapshot.engine())
        .put("parameters", snapshot.parameters())
        .put("learned", snapshot.learned());
  }

  /** Names a dataset by where it is. */
  private static ObjectNode locate(ObjectNode dataset, String place) {
    URI uri = URI.create(place.replace(" ", "%20"));
    boolean isPath = uri.getScheme() == null || uri.getScheme().equals("file");
    String path = uri.getPath();
    return dataset
        .put("namespace", isPath ? "file" : uri.getScheme() + "://" + uri.getAuthority())
        .put("name", isPath ? path : path.replaceFirst("^/", ""));
  }

  private static void schema(ArrayNode fields, ExampleShape shape) {
    fields.addObject().put("name", "features").put("type", "float[%s]".formatted(shape.features()));
    fields
        .addObject()
        .put("name", shape.target() == Target.REGRESSION ? "values" : "probabilities")
        .put("type", "float[%s]".formatted(shape.outputs()));
  }

  private static ObjectNode facet(ObjectNode facets, String name, String schema) {
    return facets.putObject(name).put("_producer", PRODUCER).put("_schemaURL", schema);
  }
}
