package dev.millrace.model.dl4j;

import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.device.VisibleDevices;
import java.util.List;
import java.util.stream.Collectors;

/** Knows on which devices the machine code in {@code nd4j-cuda-11.6} 1.0.0-M2.1 runs. */
final class CudaCode {

  /**
   * Major and minor of each generation there is code for, as its library was found to have it.
   * Intermediate code, which a driver would translate for newer ones, isn't in it.
   */
  private static final int[][] GENERATIONS = {
    {3, 7}, {5, 0}, {5, 2}, {6, 0}, {6, 1}, {7, 0}, {7, 5}, {8, 0}, {8, 6}
  };

  private CudaCode() {}

  /** Code runs on devices of its major generation that aren't older than its minor one. */
  static boolean runsOn(CudaDevice device) {
    for (int[] generation : GENERATIONS) {
      if (generation[0] == device.major() && generation[1] <= device.minor()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks all devices that ND4J sees: it sets each of them up when it starts, used or not.
   *
   * @throws UnusableEngineException naming those that it can't run on
   */
  static void require(List<CudaDevice> visible) {
    List<CudaDevice> unfit = visible.stream().filter(device -> !runsOn(device)).toList();
    if (!unfit.isEmpty()) {
      throw new UnusableEngineException(
          ("%s, and ND4J's CUDA backend (nd4j-cuda-11.6 1.0.0-M2.1) has code for 3.7 and for 5.0 to"
                  + " 8.9 only: Maxwell, Pascal, Volta, Turing, Ampere, Ada. %s; or train on the"
                  + " CPU, with nd4j-native in place of nd4j-cuda-11.6 on the class path (a build"
                  + " without -Pcuda)")
              .formatted(
                  unfit.stream().map(CudaDevice::toString).collect(Collectors.joining("; ")),
                  unfit.size() < visible.size()
                      ? "Name only the others in " + VisibleDevices.VARIABLE
                      : "Take an older GPU"));
    }
  }
}
