/**
 * What the layers of a network are like while it learns: their weights, updates and activations.
 * Knows no Flink.
 */
package dev.millrace.exchange.layer;
