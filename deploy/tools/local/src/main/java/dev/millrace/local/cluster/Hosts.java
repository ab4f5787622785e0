package dev.millrace.local.cluster;

import java.util.List;

/** The machines that a cluster's processes are on, or what stands in for machines. */
public interface Hosts {

  /** All on this machine, and to be reached from nowhere else. */
  Hosts LOOPBACK =
      new Hosts() {
        @Override
        public String main() {
          return "127.0.0.1";
        }

        @Override
        public String of(String taskManager) {
          return main();
        }

        @Override
        public List<String> on(String taskManager, List<String> command) {
          return command;
        }
      };

  /** Address that JobManagers and ZooKeeper listen on. */
  String main();

  /** Address that a TaskManager listens on. */
  String of(String taskManager);

  /** The command to run here so that a TaskManager's command runs on its machine. */
  List<String> on(String taskManager, List<String> command);
}
