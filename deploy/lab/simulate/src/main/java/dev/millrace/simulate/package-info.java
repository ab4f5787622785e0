/**
 * Whole jobs in one thread and in virtual time, while everything fails; see
 * docs/internals/simulator.md.
 */
package dev.millrace.simulate;
