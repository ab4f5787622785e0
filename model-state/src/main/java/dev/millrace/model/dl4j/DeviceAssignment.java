package dev.millrace.model.dl4j;

/** Which device trains which replica: dealt out in turn, so that every device has its share. */
record DeviceAssignment(int devices) {

  DeviceAssignment {
    if (devices < 1) {
      throw new IllegalArgumentException("Training needs a device, and there are " + devices);
    }
  }

  int deviceOf(int replica) {
    if (replica < 0) {
      throw new IllegalArgumentException("Replicas are numbered from 0, not " + replica);
    }
    return replica % devices;
  }
}
