package dev.millrace.job.rows.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a directory of rows by what docs/internals/formats.md says alone, as others would. */
public final class PublishedRows {

  private PublishedRows() {}

  /** Returns the rows of each table by their ids. */
  public static Map<String, Map<Long, List<Float>>> read(Path directory) throws IOException {
    JsonNode manifest = new ObjectMapper().readTree(directory.resolve("rows.json").toFile());
    Map<String, Map<Long, List<Float>>> tables = new TreeMap<>();
    for (JsonNode table : manifest.path("tables")) {
      Map<Long, List<Float>> rows = new HashMap<>();
      for (JsonNode file : table.path("files")) {
        PlainFile plain = PlainFile.read(directory.resolve(file.path("file").asText()));
        for (long id : plain.removed()) {
          rows.remove(id);
        }
        for (int i = 0; i < plain.ids().length; i++) {
          rows.put(plain.ids()[i], plain.row(i, table.path("table").path("dimension").asInt()));
        }
      }
      tables.put(table.path("name").asText(), rows);
    }
    return tables;
  }
}
