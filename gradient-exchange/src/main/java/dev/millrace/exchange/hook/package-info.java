/**
 * Holds the seam between a replica and what helps it learn. A replica knows such a part by {@link
 * dev.millrace.exchange.hook.ReplicaHook} alone, so any of them can be left out.
 */
package dev.millrace.exchange.hook;
