package dev.millrace.model.dl4j;

/**
 * A GPU, and what its generation is to CUDA.
 *
 * @param number ND4J's
 * @param major of its compute capability: 8 for Ampere and Ada, 9 for Hopper
 * @param minor of its compute capability
 */
record CudaDevice(int number, String name, int major, int minor) {

  @Override
  public String toString() {
    return "GPU %s (%s) has compute capability %s.%s".formatted(number, name, major, minor);
  }
}
