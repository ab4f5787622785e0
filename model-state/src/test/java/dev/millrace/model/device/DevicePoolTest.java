package dev.millrace.model.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.device.DeviceRequest.Use;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DevicePoolTest {

  private final DevicePool pool = new DevicePool();

  @Test
  void dealsDevicesOutInTurnTheLowestFirst() {
    List<Integer> dealt =
        IntStream.range(0, 7).map(i -> take(Use.SHARED, 0, 1, 2).device()).boxed().toList();

    assertThat(dealt).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void aDeviceThatWasGivenBackIsDealtOutNext() {
    take(Use.SHARED, 0, 1, 2);
    DevicePool.Share second = take(Use.SHARED, 0, 1, 2);
    take(Use.SHARED, 0, 1, 2);
    second.close();

    assertThat(take(Use.SHARED, 0, 1, 2).device()).isEqualTo(1);
  }

  @Test
  void givingADeviceBackTwiceCountsOnce() {
    DevicePool.Share share = take(Use.SHARED, 0, 1);
    take(Use.SHARED, 0);
    share.close();
    share.close();

    assertThat(take(Use.SHARED, 0, 1).device()).isEqualTo(1);
  }

  @Test
  void onlyAllowedDevicesAreDealtOut() {
    assertThat(take(Use.SHARED, 3, 5).device()).isEqualTo(3);
    assertThat(take(Use.SHARED, 3, 5).device()).isEqualTo(5);
    assertThat(take(Use.SHARED, 3, 5).device()).isEqualTo(3);
  }

  @Test
  void aReplicaTooManyForExclusiveDevicesIsToldWhatToDo() {
    take(Use.EXCLUSIVE, 0, 1);
    DevicePool.Share second = take(Use.EXCLUSIVE, 0, 1);

    assertThat(second.device()).isEqualTo(1);
    assertThatThrownBy(() -> take(Use.EXCLUSIVE, 0, 1))
        .isInstanceOf(NoFreeDeviceException.class)
        .hasMessageContaining("2 may be used in this process, [0, 1]")
        .hasMessageContaining("taskmanager.numberOfTaskSlots")
        .hasMessageContaining("external-resource.gpu.amount");
    second.close();
    assertThat(take(Use.EXCLUSIVE, 0, 1).device()).isEqualTo(1);
  }

  @Test
  void anExclusiveDeviceIsSharedWithNobody() {
    DevicePool.Share alone = take(Use.EXCLUSIVE, 0, 1);

    assertThat(take(Use.SHARED, 0, 1).device()).isEqualTo(1);
    assertThat(take(Use.SHARED, 0, 1).device()).isEqualTo(1);
    assertThatThrownBy(() -> take(Use.SHARED, 0)).isInstanceOf(NoFreeDeviceException.class);
    assertThatThrownBy(() -> take(Use.EXCLUSIVE, 1)).isInstanceOf(NoFreeDeviceException.class);
    alone.close();
    assertThat(take(Use.SHARED, 0, 1).device()).isEqualTo(0);
  }

  @Test
  void aGuestGoesWhereOthersTrainAndIsNotCounted() {
    assertThat(take(Use.GUEST, 0, 1, 2).device()).isEqualTo(0);
    DevicePool.Share host = take(Use.EXCLUSIVE, 2);

    DevicePool.Share guest = take(Use.GUEST, 0, 1, 2);
    assertThat(guest.device()).isEqualTo(2);
    guest.close();
    assertThatThrownBy(() -> take(Use.EXCLUSIVE, 2)).isInstanceOf(NoFreeDeviceException.class);
    host.close();
    assertThatCode(() -> take(Use.EXCLUSIVE, 2)).doesNotThrowAnyException();
  }

  /** As restarts do it: replicas come and go in any order, and some fail while they start. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void heldEvenlyAfterAnyNumberOfRestarts(long seed) {
    Random random = new Random(seed);
    int devices = 1 + random.nextInt(6);
    int[] all = IntStream.range(0, devices).toArray();
    for (int restart = 0; restart < 50; restart++) {
      int replicas = 1 + random.nextInt(3 * devices);
      List<DevicePool.Share> held = new ArrayList<>();
      TreeMap<Integer, Integer> counts = new TreeMap<>();
      for (int i = 0; i < replicas; i++) {
        DevicePool.Share share = take(Use.SHARED, all);
        held.add(share);
        counts.merge(share.device(), 1, Integer::sum);
      }
      assertThat(counts.values())
          .as("seed %d, restart %d, %d replicas: %s", seed, restart, replicas, counts)
          .allMatch(n -> n == replicas / devices || n == (replicas + devices - 1) / devices);
      assertThat(counts).hasSize(Math.min(replicas, devices));
      Collections.shuffle(held, random);
      held.forEach(DevicePool.Share::close);
    }
  }

  @Test
  void threadsThatComeAtOnceGetDifferentDevices() throws Exception {
    int devices = 8;
    int[] all = IntStream.range(0, devices).toArray();
    ExecutorService threads = Executors.newFixedThreadPool(devices);
    try {
      for (int round = 0; round < 200; round++) {
        List<Callable<DevicePool.Share>> takers =
            IntStream.range(0, devices)
                .<Callable<DevicePool.Share>>mapToObj(i -> () -> take(Use.EXCLUSIVE, all))
                .toList();
        List<Integer> dealt = new ArrayList<>();
        for (Future<DevicePool.Share> taken : threads.invokeAll(takers)) {
          dealt.add(taken.get().device());
          taken.get().close();
        }
        assertThat(dealt).doesNotHaveDuplicates();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private DevicePool.Share take(Use use, int... allowed) {
    NavigableSet<Integer> numbers = new TreeSet<>();
    Arrays.stream(allowed).forEach(numbers::add);
    return pool.take(numbers, use);
  }
}
