package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** How machines that share gradients are connected. Here Flink connects them. */
@PublicEvolving
public enum MeshBuildMode {
  /** All with one. */
  PLAIN,
  /** Nodes are a tree. */
  MESH
}
