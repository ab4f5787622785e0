package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.hook.DealtParts;
import dev.millrace.exchange.hook.HookOrigin;
import dev.millrace.exchange.hook.HookState;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a checkpoint gave to the hooks of one replica, and who had saved it. */
final class GivenHooks {

  private final List<DealtParts> dealt = new ArrayList<>();
  private final Map<HookState.Shared, List<byte[]>> shared = new LinkedHashMap<>();
  private final Map<HookState.Own, DataInputStream> own = new LinkedHashMap<>();

  /** Takes parts of what replicas share, each of which is read once. */
  void add(HookState.Shared hook, List<DataInputStream> saved) throws IOException {
    List<HookOrigin> origins = new ArrayList<>();
    List<byte[]> parts = new ArrayList<>();
    for (DataInputStream in : saved) {
      origins.add(HookOrigin.read(in));
      parts.add(in.readAllBytes());
    }
    shared.put(hook, parts);
    add(hook.name(), origins);
  }

  /** Takes what this replica had saved, or another one. */
  void add(HookState.Own hook, DataInputStream saved) throws IOException {
    add(hook.name(), List.of(HookOrigin.read(saved)));
    own.put(hook, saved);
  }

  private void add(String hook, List<HookOrigin> origins) {
    if (!origins.isEmpty()) {
      dealt.add(new DealtParts(hook, origins));
    }
  }

  /** Returns who had saved what each hook gets back, but for those that get nothing. */
  List<DealtParts> dealt() {
    return dealt;
  }

  /** Has hooks continue from it. */
  void restore(int index) throws IOException {
    for (var hook : shared.entrySet()) {
      hook.getKey().restore(hook.getValue());
    }
    for (var hook : own.entrySet()) {
      hook.getKey().restore(index, hook.getValue());
    }
  }
}
