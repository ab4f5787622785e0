package dev.millrace.model.torch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.io.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The SHA-256 of each entry of an archive, by its name below the archive's folder. */
final class ArchiveHashes {

  /** The name of the entry that lists them, among the extra files. */
  static final String NAME = "millrace/checksums.json";

  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  private ArchiveHashes() {}

  static String of(InputStream content) throws IOException {
    MessageDigest digest = digest();
    new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  static byte[] write(SortedMap<String, String> hashes) throws IOException {
    return MAPPER.writeValueAsBytes(hashes);
  }

  static Map<String, String> read(byte[] bytes) throws IOException {
    StrictJson.requireRoom(bytes);
    Map<String, String> hashes =
        MAPPER.readValue(bytes, new TypeReference<Map<String, String>>() {});
    if (hashes == null) {
      throw new IOException("its list of checksums is null");
    }
    return hashes;
  }

  /**
   * @throws IOException if entries are missing, too many or changed, naming the first
   */
  static void requireSame(Map<String, String> listed, Map<String, String> found)
      throws IOException {
    Set<String> all = new TreeSet<>(listed.keySet());
    all.addAll(found.keySet());
    for (String name : all) {
      if (!found.containsKey(name)) {
        throw new IOException("it has no entry " + name);
      }
      if (!found.get(name).equals(listed.get(name))) {
        throw new IOException("its entry %s isn't what was written".formatted(name));
      }
    }
  }

  /** The names below a folder that all of them are in. */
  static Set<String> relative(List<String> names, String root) {
    Set<String> relative = new TreeSet<>();
    names.forEach(name -> relative.add(name.substring(root.length())));
    return relative;
  }
}
