package dev.millrace.model.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes bytes and JSON wrong in the ways that readers trip over. The same seed does the same. */
public final class Mutations {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final long[] EDGES = {
    0, 1, -1, 2, 100, 255, 65_536, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE
  };

  private static final String[] SCALARS = {
    "null",
    "true",
    "0",
    "-1",
    "1",
    "7",
    "100000",
    "2147483647",
    "-2147483648",
    "9223372036854775807",
    "1e308",
    "-0.0",
    "1e-300",
    "123456789012345678901234567890",
    "\"\"",
    "\"x\"",
    "\"NaN\"",
    "\"-1.5\"",
    "\"../../x\"",
    "[]",
    "{}",
    "[[]]",
    "{\"\":null}"
  };

  private final Random random;

  public Mutations(long seed) {
    random = new Random(seed);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** One to three changes to bytes: single bits, numbers at their edges, pieces lost or twice. */
  public byte[] bytes(byte[] whole) {
    byte[] changed = whole.clone();
    for (int left = 1 + random.nextInt(3); left > 0 && changed.length > 0; left--) {
      changed = once(changed);
    }
    return changed;
  }

  private byte[] once(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> {
        if (at + Integer.BYTES <= bytes.length) {
          ByteBuffer.wrap(bytes).putInt(at, (int) EDGES[random.nextInt(EDGES.length)]);
        }
      }
      case 3 -> {
        if (at + Long.BYTES <= bytes.length) {
          ByteBuffer.wrap(bytes).putLong(at, EDGES[random.nextInt(EDGES.length)]);
        }
      }
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      default -> {
        int length = Math.min(bytes.length - at, 1 + random.nextInt(64));
        byte[] longer = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, longer, 0, at + length);
        System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
        return longer;
      }
    }
    return bytes;
  }

  /** JSON with one to three parts replaced, taken out, moved or nested; sometimes no JSON. */
  public String json(String whole) {
    if (random.nextInt(8) == 0) {
      return new String(bytes(whole.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
    JsonNode tree = parse(whole);
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      List<ContainerNode<?>> all = new ArrayList<>();
      collect(tree, all);
      if (!all.isEmpty()) {
        change(all.get(random.nextInt(all.size())), all);
      }
    }
    String text = tree.toString();
    if (random.nextInt(20) > 0) {
      return text;
    }
    int depth = 1 + random.nextInt(5_000);
    return random.nextBoolean()
        ? "[".repeat(depth) + text + "]".repeat(depth)
        : text.replaceFirst(":", ":" + "[".repeat(depth) + "]".repeat(depth) + ",\"q\":");
  }

  private void change(ContainerNode<?> container, List<ContainerNode<?>> all) {
    if (container.isEmpty()) {
      return;
    }
    int which = random.nextInt(container.size());
    JsonNode other =
        switch (random.nextInt(5)) {
          case 0 -> all.get(random.nextInt(all.size())).deepCopy();
          case 1 -> nested(container, 1 + random.nextInt(200));
          case 2 -> number();
          default -> parse(SCALARS[random.nextInt(SCALARS.length)]);
        };
    if (container instanceof ArrayNode array) {
      if (random.nextInt(6) == 0) {
        array.remove(which);
      } else {
        array.set(which, other);
      }
    } else if (container instanceof ObjectNode object) {
      String name = new ArrayList<>(object.properties()).get(which).getKey();
      if (random.nextInt(6) == 0) {
        object.remove(name);
      } else {
        object.set(name, other);
      }
    }
  }

  private JsonNode number() {
    return MAPPER.getNodeFactory().numberNode(random.nextInt(1 << (1 + random.nextInt(30))));
  }

  private static JsonNode nested(ContainerNode<?> container, int depth) {
    JsonNode inner = container.deepCopy();
    for (int left = depth; left > 0; left--) {
      inner =
          container instanceof ObjectNode object
              ? MAPPER.createObjectNode().set(object.fieldNames().next(), inner)
              : MAPPER.createArrayNode().add(inner);
    }
    return inner;
  }

  private static void collect(JsonNode node, List<ContainerNode<?>> into) {
    if (node instanceof ValueNode) {
      return;
    }
    into.add((ContainerNode<?>) node);
    // One that an earlier change has nested is deep enough.
    if (into.size() < 10_000) {
      node.forEach(child -> collect(child, into));
    }
  }

  private static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("No JSON to begin with: " + json, e);
    }
  }
}
